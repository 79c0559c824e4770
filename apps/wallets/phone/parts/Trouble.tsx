import { usePhone } from '../usePhone.ts'
import { explain } from '../words.ts'
import { Note } from './Note.tsx'

/** What went wrong last, with the two ways on. */
export function Trouble() {
  const phone = usePhone()
  if (phone.trouble === undefined) return undefined
  return (
    <Note kind="bad" icon="warn" role="alert">
      <p>{explain(phone.trouble)}</p>
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
