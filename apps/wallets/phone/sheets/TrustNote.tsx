import type { RequestingApp } from '../../src/provider/RequestDetails.ts'
import { Note } from '../parts/Note.tsx'
import { trustText } from '../texts.ts'

const styles = {
  verified: { kind: 'good', icon: 'shield' },
  unverified: { kind: 'plain', icon: 'shield' },
  mismatch: { kind: 'bad', icon: 'warn' },
  scam: { kind: 'bad', icon: 'warn' },
} as const

/** The verify service's result for the requesting app. */
export function TrustNote({ app }: { app: RequestingApp }) {
  const { tag, title, text } = trustText(app)
  return (
    <div className="trust" data-trust={app.trust} data-testid="trust">
      <Note {...styles[app.trust]} title={title}>
        <p>{text}</p>
      </Note>
      <span className="tag">{tag}</span>
    </div>
  )
}
