import { canUse } from '../../../core/networks/canUse.ts'
import { selectNetwork } from '../../../core/networks/switchNetwork.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { out } from '../../icons/base.ts'
import { Button } from '../../parts/Button.tsx'
import { Message } from '../../parts/Message.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { networksText } from '../../strings/networks.ts'
import { NetworkList } from './Networks.tsx'
import { networkSide } from './networkSide.ts'
import { useCurrentNetwork } from './useCurrentNetwork.ts'
import { useDisconnectWallet } from '../../hooks/useDisconnectWallet.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'

/**
 * Shown while the wallet is on a chain that the site does not support or, if the visitor opened swaps, on a
 * chain without swaps. The view cannot be closed; it offers the supported networks and a disconnect button.
 *
 * @see spec §4.6.1, §8.6.1; docs/views.md#unsupportedchain
 */
export function UnsupportedChain({ data }: { data: ViewData['UnsupportedChain'] }) {
  const kit = useInstance()
  const t = useText(networksText)
  const swap = data?.context === 'swap'
  const actual = useCurrentNetwork()
  // After the switch, keeps showing the unsupported network during the exit animation.
  const current = useLastValue(actual, swap || !actual.network)
  const namespace = useKitState((state) => state.namespace)
  const all = useKitState((state) => state.networks)
  const networks = all.filter(
    (network) => network.chainNamespace === namespace && network !== current.network,
  )
  const [only, ...others] = networks
  const { first } = useWalletName()
  const isStuck =
    !useKitState((state) => networks.some((network) => canUse(state, network))) &&
    networks.length > 0
  // If the wallet has approved none of the site's networks, the hint says to disconnect and approve one.
  const stuckHint = !swap && isStuck && t('unsupported.none', { wallet: first })
  const title = t(
    swap
      ? 'unsupported.swap'
      : current.known || others.length > 0
        ? 'unsupported.site'
        : 'unsupported.unknown',
    { network: current.name },
  )
  return (
    <div className="gf-body">
      {!only && <Message title={title}>{swap && t('unsupported.swapNone')}</Message>}
      {only && others.length === 0 && (
        <>
          <FacingPages
            state="on"
            from={networkSide(kit, current.network, current.name)}
            to={networkSide(kit, only)}
          />
          <Message title={title}>
            {stuckHint ||
              t(swap ? 'unsupported.swapOnly' : 'unsupported.only', { network: only.name })}
          </Message>
          {!isStuck && (
            <Button kind="primary" onClick={() => selectNetwork(kit, { network: only })}>
              {t('unsupported.switchTo', { network: only.name })}
            </Button>
          )}
        </>
      )}
      {others.length > 0 && (
        <>
          <Message title={title}>
            {stuckHint || t(swap ? 'unsupported.swapHint' : 'unsupported.siteHint')}
          </Message>
          <Scroll max={336}>
            <NetworkList networks={networks} />
          </Scroll>
          {!isStuck && <div className="gf-divider">{t('unsupported.or')}</div>}
        </>
      )}
      <Disconnect />
    </div>
  )
}

function Disconnect() {
  const t = useText(networksText)
  const { busy, disconnect } = useDisconnectWallet()
  return (
    <Button kind="bad" icon={out} busy={busy} onClick={disconnect}>
      {t(busy ? 'unsupported.disconnecting' : 'unsupported.disconnect')}
    </Button>
  )
}
