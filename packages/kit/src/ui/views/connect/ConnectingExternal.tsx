import { connectWallet } from '../../../core/connection/connect.ts'
import { goBack } from '../../../core/view/navigate.ts'
import { connectorImage, walletImage } from '../../../core/wallets/images.ts'
import { matchesWallet, findLocalWallet } from '../../../core/wallets/findLocalWallet.ts'
import type { Attempt } from '../../../core/connection/attempt.ts'
import { isConnectedBy } from '../../../core/connection/account.ts'
import { findConnector } from '../../../core/connection/Connector.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { out, retry } from '../../icons/base.ts'
import { Button } from '../../parts/Button.tsx'
import { Message } from '../../parts/Message.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import type { FacingPagesState } from '../../parts/FacingPages.tsx'
import { useText } from '../../hooks/useText.ts'
import { connectText } from '../../strings/connect.ts'
import { connectingText } from '../../strings/connecting.ts'
import { useDisconnectWallet } from '../../hooks/useDisconnectWallet.ts'
import { usePeer } from '../../hooks/usePeer.ts'

type Status = Attempt['status'] | 'linked' | 'gone'

const looks: Record<Status, { spread: FacingPagesState; text: Text; role: 'status' | 'alert' }> = {
  waiting: { spread: 'wait', text: 'open', role: 'status' },
  expired: { spread: 'late', text: 'silent', role: 'alert' },
  silent: { spread: 'late', text: 'silent', role: 'alert' },
  rejected: { spread: 'bad', text: 'declined', role: 'alert' },
  failed: { spread: 'bad', text: 'failed', role: 'alert' },
  linked: { spread: 'good', text: 'linked', role: 'status' },
  gone: { spread: 'bad', text: 'gone', role: 'alert' },
}
type Text = 'open' | 'silent' | 'declined' | 'failed' | 'linked' | 'gone'

/**
 * The progress of a connect request to an installed wallet. The click that opens this view sends the
 * request.
 *
 * Also shown when the universal connector already has a session, because it supports one session at a time. If the
 * session is not with the selected wallet, the view asks the visitor to end it first.
 *
 * @see docs/views.md#connectingexternal
 */
export function ConnectingExternal({ data }: { data: ViewData['ConnectingExternal'] }) {
  const { connectorId, namespace, wallet } = data
  const kit = useInstance()
  const t = useText(connectingText)
  const c = useText(connectText)
  const connector = useKitState((state) => findConnector(state.connectors, connectorId, namespace))
  const attempt = useKitState((state) =>
    state.attempt?.connectorId === connectorId &&
    (state.attempt.namespace ?? namespace) === namespace
      ? state.attempt
      : undefined,
  )
  const linked = useKitState((state) => isConnectedBy(state, connectorId, namespace))
  const status: Status = attempt?.status ?? (linked ? 'linked' : connector ? 'waiting' : 'gone')
  const { spread, text, role } = looks[status]
  const peer = usePeer({ id: connectorId })
  const { busy, disconnect } = useDisconnectWallet({ connectorId, namespace })
  const needsDisconnect = peer && !(wallet && matchesWallet(wallet, peer.name))
  const name = (peer?.name || connector?.name) ?? wallet?.name ?? connectorId
  const listing = useKitState(() => (needsDisconnect ? findLocalWallet(kit, peer.name) : wallet))
  const { metadata } = kit.options
  const again = status === 'waiting' ? undefined : 'primary'
  return (
    <div className="gf-body" data-status={status}>
      <FacingPages
        state={spread}
        from={{ name: metadata.name, src: metadata.icons[0] }}
        to={{
          name,
          src:
            (!peer && connector && connectorImage(kit, connector)) ||
            (listing && walletImage(kit, listing)),
          picture: listing?.image_id ?? connectorId,
        }}
      />
      <Message
        key={role}
        role={role}
        title={
          needsDisconnect
            ? c('connect.oneAtATime', { wallet: name })
            : t(`connecting.${text}`, { wallet: name })
        }
      >
        {t(needsDisconnect ? 'connecting.oneAtATimeHint' : `connecting.${text}Hint`, {
          wallet: name,
        })}
      </Message>
      {needsDisconnect && (
        <Button kind="bad" icon={out} busy={busy} onClick={disconnect}>
          {t(busy ? 'connecting.disconnecting' : 'connecting.disconnect')}
        </Button>
      )}
      {connector && status !== 'linked' && (
        <Button
          kind={again}
          icon={retry}
          onClick={() => void connectWallet(kit, { connector, wallet })}
        >
          {t('connecting.tryAgain')}
        </Button>
      )}
      {(status === 'silent' || status === 'gone') && (
        <Button kind="quiet" onClick={() => goBack(kit)}>
          {t('connecting.another')}
        </Button>
      )}
    </div>
  )
}
