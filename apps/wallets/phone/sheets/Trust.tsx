import type { AskingApp } from '../../src/provider/Subject.ts'
import { Note } from '../parts/Note.tsx'
import { trustWords } from '../words.ts'

const looks = {
  verified: { kind: 'good', icon: 'shield' },
  unverified: { kind: 'plain', icon: 'shield' },
  mismatch: { kind: 'bad', icon: 'warn' },
  scam: { kind: 'bad', icon: 'warn' },
} as const

/** What the verify service found out about the page that asks. */
export function Trust({ app }: { app: AskingApp }) {
  const { tag, title, text } = trustWords(app)
  return (
    <div className="trust" data-trust={app.trust} data-testid="trust">
      <Note {...looks[app.trust]} title={title}>
        <p>{text}</p>
      </Note>
      <span className="tag">{tag}</span>
    </div>
  )
}
