import { useEffect } from 'react'
import { useToast } from '../PhoneProvider.tsx'
import { Icon } from './Icon.tsx'

/** How long a success message is visible, in ms. Errors stay visible until they are closed. */
const successMs = 5_000

/** The latest toast. */
export function Toast() {
  const { toast, showToast } = useToast()
  useEffect(() => {
    if (!toast || toast.isError) return
    const timer = setTimeout(() => showToast(undefined), successMs)
    return () => clearTimeout(timer)
  }, [toast, showToast])
  return (
    <div className="toast-area" role={toast?.isError ? 'alert' : 'status'}>
      {toast && (
        <div className="toast" data-error={toast.isError || undefined}>
          <Icon name={toast.isError ? 'warn' : 'check'} />
          <p>{toast.text}</p>
          <button
            type="button"
            className="round"
            aria-label="Close"
            onClick={() => showToast(undefined)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
