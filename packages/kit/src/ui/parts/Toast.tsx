import { isConnected } from '../../core/connection/account.ts'
import { useKitState } from '../../react/context.ts'
import type { Toast as State } from '../../core/kit/state.ts'
import { toastText } from '../../core/notifications/toasts.ts'
import { useExiting } from '../hooks/useExiting.ts'
import { useLazyModule } from '../hooks/useLazyModule.ts'
import { useNames } from '../hooks/usePeer.ts'
import { useText } from '../hooks/useText.ts'
import type { Catalog } from '../hooks/useText.ts'

/** Duration of the exit animation in ms: `--gf-t-2`. */
const exitMs = 125

const loadMessage = () => import('./ToastMessage.tsx')

/**
 * A short message at the upper edge of the card. It disappears after a few seconds, unless its variant is
 * `loading`. Its code is loaded once a wallet is connected, or for the first toast.
 *
 * @see spec §4.3.4
 */
export function Toast() {
  const toast = useKitState((state) => state.toast)
  const connected = useKitState(isConnected)
  const module = useLazyModule(connected || toast !== undefined, loadMessage)
  const exiting = useExiting(toast, exitMs)
  const shown = toast ?? exiting
  const t = useText<Catalog>(toastText)
  const translate = useNames()
  // The English text of a toast whose catalog is not loaded is its message.
  const textOf = ({ key, values, message }: State) => {
    const wallet = values?.['wallet'] && translate(values['wallet'])
    const text = key && t(key, wallet ? { ...values, wallet } : values)
    return text && text !== key ? text : message
  }
  return (
    <>
      {shown && module && (
        <module.ToastMessage toast={shown} text={textOf(shown)} exiting={!toast} />
      )}
      {/* Live regions have to exist before their text changes, or screen readers do not announce it. */}
      <div className="gf-hidden" role="status">
        {toast && toast.variant !== 'error' && textOf(toast)}
      </div>
      <div className="gf-hidden" role="alert">
        {toast?.variant === 'error' && textOf(toast)}
      </div>
    </>
  )
}
