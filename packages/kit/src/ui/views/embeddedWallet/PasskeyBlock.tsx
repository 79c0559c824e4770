import { push } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { passkey } from '../../icons/embedded.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { loadView } from '../../views.ts'
import { useEmbedded, useIsLoggedIn } from './useEmbedded.ts'

/**
 * The button that logs in with only a passkey.
 *
 * @see docs/views.md#passkey
 */
export function PasskeyBlock() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const isLoggedIn = useIsLoggedIn()
  const prepare = () => {
    embedded.preload().catch(() => {}) // reported by the view
    loadView('ConnectingPasskey').catch(() => {}) // a click retries
  }
  return (
    <button
      type="button"
      className="gf-button"
      disabled={isLoggedIn}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => push(kit, { name: 'ConnectingPasskey' })}
    >
      <Icon d={passkey} size={16} />
      <span>{t('embedded.passkey')}</span>
    </button>
  )
}
