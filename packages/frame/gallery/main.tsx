/** @jsxImportSource preact */
import { render } from 'preact'
import { ApprovalCard } from '../src/approval/ApprovalCard.tsx'
import { origin, scenes } from './scenes.ts'
import '../src/styles.css'

// Shows one approval: `?scene=send&theme=dark&waiting=2`. Used by tests, and to look at all of them.
const query = new URLSearchParams(location.search)
const name = query.get('scene') ?? 'message'
document.documentElement.setAttribute('data-theme', query.get('theme') ?? 'light')
const statement = await scenes[name]!()
const log = (event: string) => document.documentElement.setAttribute('data-answer', event)

render(
  <ApprovalCard
    pending={{
      id: 1,
      origin,
      statement,
      approve: () => log('approved'),
      reject: () => log('rejected'),
    }}
    waiting={Number(query.get('waiting') ?? 0)}
    site="https://vault.book.example"
  />,
  document.getElementById('root')!,
)
