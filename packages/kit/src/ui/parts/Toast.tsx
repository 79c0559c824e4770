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

/** How long a toast takes to leave, in ms: `--gf-t-2`. */
const leaveMs = 125

/** One sentence at the card's upper edge that confirms something and goes. @see spec §4.3.4 */
export function Toast() {
  const toast = useKitState((state) => state.toast)
  const leaving = useExiting(toast, leaveMs)
  const shown = toast ?? leaving
  const t = useText(toastText)
  const say = ({ key, values, message }: State) => (key ? t(key, values) : message)
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
          {say(shown)}
        </div>
      )}
      {/* Regions that are there before their text: only then is it read out. */}
      <div className="gf-hidden" role="status">
        {toast && toast.variant !== 'error' && say(toast)}
      </div>
      <div className="gf-hidden" role="alert">
        {toast?.variant === 'error' && say(toast)}
      </div>
    </>
  )
}
