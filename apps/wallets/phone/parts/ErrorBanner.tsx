import { usePhone } from '../usePhone.ts'
import { explainError } from '../texts.ts'
import { Note } from './Note.tsx'

/** The wallet's last error, with retry and dismiss. */
export function ErrorBanner() {
  const phone = usePhone()
  if (phone.lastError === undefined) return undefined
  return (
    <Note kind="bad" icon="warn" role="alert">
      <p>{explainError(phone.lastError)}</p>
      <div className="note-actions">
        <button type="button" className="button" data-size="small" onClick={() => phone.retry()}>
          Try again
        </button>
        <button type="button" className="button" data-size="small" onClick={() => phone.dismiss()}>
          Close
        </button>
      </div>
    </Note>
  )
}
