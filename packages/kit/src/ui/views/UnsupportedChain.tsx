import { canUse } from '../../core/account.ts'
import { selectNetwork } from '../../core/actions/switchNetwork.ts'
import type { ViewData } from '../../core/view.ts'
import { useKit, useKitState } from '../../react/context.ts'
import { useAccount } from '../../react/hooks.ts'
import { out } from '../icons/account.ts'
import { Button } from '../parts/Button.tsx'
import { Say } from '../parts/Say.tsx'
import { Scroll } from '../parts/Scroll.tsx'
import { Spread } from '../parts/Spread.tsx'
import { useKept } from '../parts/useKept.ts'
import { useText } from '../parts/useText.ts'
import { networksText } from '../strings/networks.ts'
import { NetworkList } from './Networks.tsx'
import { sideOf } from './sideOf.ts'
import { useHere } from './useHere.ts'
import { useLeave } from './useLeave.ts'
import { useWalletName } from './useWalletName.ts'

/**
 * The wallet is on a chain the site does not use, or one on which coins cannot be swapped. It cannot
 * be closed, so it says what to do and offers it; leaving comes last.
 *
 * @see spec §4.6.1, §8.6.1; views.md “UnsupportedChain”
 */
export function UnsupportedChain({ data }: { data: ViewData['UnsupportedChain'] }) {
  const kit = useKit()
  const t = useText(networksText)
  const swap = data?.context === 'swap'
  const now = useHere()
  // Once the wallet has moved, what was wrong stays on screen while the card leaves.
  const here = useKept(now, swap || !now.network)
  const namespace = useKitState((state) => state.namespace)
  const all = useKitState((state) => state.networks)
  const networks = all.filter(
    (network) => network.chainNamespace === namespace && network !== here.network,
  )
  const [only, ...others] = networks
  const { first } = useWalletName()
  const isStuck =
    !useKitState((state) => networks.some((network) => canUse(state, network))) &&
    networks.length > 0
  // Nothing to choose: the list then says what could be approved.
  const stuckHint = !swap && isStuck && t('unsupported.none', { wallet: first })
  const title = t(
    swap
      ? 'unsupported.swap'
      : here.known || others.length > 0
        ? 'unsupported.site'
        : 'unsupported.unknown',
    { network: here.name },
  )
  return (
    <div className="gf-body">
      {!only && <Say title={title}>{swap && t('unsupported.swapNone')}</Say>}
      {only && others.length === 0 && (
        <>
          <Spread state="on" from={sideOf(kit, here.network, here.name)} to={sideOf(kit, only)} />
          <Say title={title}>
            {stuckHint ||
              t(swap ? 'unsupported.swapOnly' : 'unsupported.only', { network: only.name })}
          </Say>
          {!isStuck && (
            <Button kind="primary" onClick={() => selectNetwork(kit, { network: only })}>
              {t('unsupported.switchTo', { network: only.name })}
            </Button>
          )}
        </>
      )}
      {others.length > 0 && (
        <>
          <Say title={title}>
            {stuckHint || t(swap ? 'unsupported.swapHint' : 'unsupported.siteHint')}
          </Say>
          <Scroll max={336}>
            <NetworkList networks={networks} />
          </Scroll>
          {!isStuck && <div className="gf-or">{t('unsupported.or')}</div>}
        </>
      )}
      <Disconnect />
    </div>
  )
}

function Disconnect() {
  const t = useText(networksText)
  const { connector } = useAccount()
  const { busy, leave } = useLeave(connector)
  return (
    <Button kind="bad" icon={out} busy={busy} onClick={leave}>
      {t(busy ? 'unsupported.disconnecting' : 'unsupported.disconnect')}
    </Button>
  )
}
