import { useKitState } from '../../react/context.ts'
import type { Toast as State, ToastVariant } from '../../core/kit/state.ts'
import { toastText } from '../../core/notifications/toasts.ts'
import { check, info, spin, warn } from '../icons/base.ts'
import { Icon } from './Icon.tsx'
import { useExiting } from '../hooks/useExiting.ts'
import { useText } from '../hooks/useText.ts'

const looks: Record<ToastVariant, { icon: string; kind?: 'good' | 'bad' }> = {
  info: { icon: info },
  success: { icon: check, kind: 'good' },
  error: { icon: warn, kind: 'bad' },
  loading: { icon: spin },
}

/** Duration of the exit animation in ms: `--gf-t-2`. */
const exitMs = 125

/** A short message at the upper edge of the card that disappears after a few seconds. @see spec §4.3.4 */
export function Toast() {
  const toast = useKitState((state) => state.toast)
  const exiting = useExiting(toast, exitMs)
  const shown = toast ?? exiting
  const t = useText(toastText)
  const textOf = ({ key, values, message }: State) => (key ? t(key, values) : message)
  return (
    <>
      {shown && (
        <div
          className="gf-toast"
          key={shown.id}
          data-ending-style={toast ? undefined : ''}
          aria-hidden
        >
          <span className="gf-badge" data-kind={looks[shown.variant].kind}>
            <Icon d={looks[shown.variant].icon} spin={shown.variant === 'loading'} />
          </span>
          {textOf(shown)}
        </div>
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
