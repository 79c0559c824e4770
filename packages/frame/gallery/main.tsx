/** @jsxImportSource preact */
import { render, type VNode } from 'preact'
import { ApprovalCard } from '../src/approval/ApprovalCard.tsx'
import { LanguageContext } from '../src/strings/useText.ts'
import { cards } from './cards.tsx'
import { language } from './language.ts'
import { origin, scenes, site } from './scenes.ts'
import '../src/styles.css'

// Shows one approval, `?scene=send&theme=dark&locale=de&waiting=2&reading`, another
// card, `?card=offer`, or a page, `?page=login`. Used by tests and for manual
// review.
const query = new URLSearchParams(location.search)
document.documentElement.setAttribute('data-theme', query.get('theme') ?? 'light')
const root = document.getElementById('root')!
const log = (event: string) => document.documentElement.setAttribute('data-answer', event)

declare global {
  interface Window {
    /** Shows the statement of `?reading`, which is not shown before. */
    showStatement?: () => void
  }
}

async function approval() {
  const statement = await scenes[query.get('scene') ?? 'message']!()
  const card = (shown: typeof statement | undefined) => (
    <ApprovalCard
      pending={{
        id: 1,
        origin,
        statement: shown,
        change: query.get('change') as 'examining' | 'failed' | undefined,
        limit: (call, amount) => log(`limited ${call} ${amount}`),
        approve: () => log('approved'),
        reject: () => log('rejected'),
      }}
      waiting={Number(query.get('waiting') ?? 0)}
      site={site}
    />
  )
  if (!query.has('reading')) return card(statement)
  window.showStatement = () => show(card(statement))
  return card(undefined)
}

async function page(name: string): Promise<VNode> {
  // Loaded only for pages, because it makes the document scroll.
  await import('../src/pages/page.css')
  const { pages } = await import('./pages.tsx')
  return pages[name]!()
}

function show(shown: VNode) {
  render(<LanguageContext.Provider value={language}>{shown}</LanguageContext.Provider>, root)
}

const name = query.get('page')
const shown =
  name === null ? (cards[query.get('card') ?? '']?.() ?? (await approval())) : await page(name)
show(shown)
