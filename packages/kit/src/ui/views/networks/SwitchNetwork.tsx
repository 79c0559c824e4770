import { useEffect, useState } from 'react'

import { switchNetwork } from '../../../core/networks/switchNetwork.ts'
import { getSession } from '../../../core/connection/account.ts'
import { openLink } from '../../../core/platform/openLink.ts'
import { currentView } from '../../../core/view/view.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { retry } from '../../icons/base.ts'
import { external } from '../../icons/guide.ts'
import { Button } from '../../parts/Button.tsx'
import { Message } from '../../parts/Message.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { networksText } from '../../strings/networks.ts'
import { networkSide } from './networkSide.ts'
import { useCurrentNetwork } from './useCurrentNetwork.ts'
import { usePeer } from '../../hooks/usePeer.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'

/**
 * The progress of a request to the wallet to switch networks. The view closes once the wallet has switched.
 *
 * @see docs/views.md#switchnetwork
 */
export function SwitchNetwork({ data }: { data: ViewData['SwitchNetwork'] }) {
  const { network } = data
  const kit = useInstance()
  const t = useText(networksText)
  const now = useKitState((state) =>
    state.switching?.networkId === network.caipNetworkId ? state.switching : undefined,
  )
  const status = useLastValue(now, Boolean(now))?.status ?? 'waiting'
  // Read once, because the active network changes during the exit animation.
  const [from] = useState(useCurrentNetwork())
  const { wallet, first } = useWalletName()
  const { connector } = useKitAccount()
  const isRemote = usePeer(connector) !== undefined
  const link = useKitState((state) => getSession(state, connector?.id)?.requestLink)
  const retrySwitch = () => void switchNetwork(kit, { network }).catch(() => {})

  useEffect(() => {
    const { switching, view } = kit.getState()
    if (currentView(view).name !== 'SwitchNetwork') return
    // If the site opened this view, the switch has not been requested yet.
    if (switching?.networkId !== network.caipNetworkId)
      switchNetwork(kit, { network }).catch(() => {})
  }, [kit, network])

  const values = { wallet, a: from.name, b: network.name }
  return (
    <div className="gf-body">
      <FacingPages
        state={status === 'waiting' ? 'wait' : status === 'silent' ? 'late' : 'bad'}
        from={networkSide(kit, from.network, from.name)}
        to={networkSide(kit, network)}
      />
      {status === 'waiting' && (
        <Message role="status" title={t('switch.approve', values)}>
          {t('switch.approveHint', values)}
        </Message>
      )}
      {status === 'silent' && (
        <Message role="alert" title={t('switch.silent', { wallet: first })}>
          {t('switch.silentHint')}
        </Message>
      )}
      {status === 'rejected' && (
        <Message role="alert" title={t('switch.rejected', values)}>
          {t('switch.rejectedHint', values)}
        </Message>
      )}
      {status === 'failed' && (
        <Message role="alert" title={t('switch.failed', values)}>
          {t('switch.failedHint', values)}
        </Message>
      )}
      {status === 'waiting' && link && (
        <Button kind="primary" icon={external} onClick={() => openLink(link.href, link)}>
          {t('switch.open', values)}
        </Button>
      )}
      {/* While a remote wallet has the request, a retry would queue a second one. An extension would show its window again. */}
      {(status !== 'waiting' || !isRemote) && (
        <Button
          kind={status === 'waiting' ? undefined : 'primary'}
          icon={retry}
          onClick={retrySwitch}
        >
          {t('switch.tryAgain')}
        </Button>
      )}
    </div>
  )
}
