/** @jsxImportSource preact */
import { render } from 'preact'
import { ApprovalCard } from '../src/approval/ApprovalCard.tsx'
import { cards } from './cards.tsx'
import { origin, scenes, site } from './scenes.ts'
import '../src/styles.css'

// Shows one approval, `?scene=send&theme=dark&waiting=2`, or another card, `?card=offer`. Used by tests, and to look at
// all of them.
const query = new URLSearchParams(location.search)
document.documentElement.setAttribute('data-theme', query.get('theme') ?? 'light')
const root = document.getElementById('root')!
const log = (event: string) => document.documentElement.setAttribute('data-answer', event)
const card = cards[query.get('card') ?? '']

if (card) render(card(), root)
else {
  const statement = await scenes[query.get('scene') ?? 'message']!()
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
      site={site}
    />,
    root,
  )
}
