import { switchActiveChain } from '../../../core/networks/switchNetwork.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance } from '../../../react/context.ts'
import { Button } from '../../parts/Button.tsx'
import { Message } from '../../parts/Message.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { useText } from '../../hooks/useText.ts'
import { networksText } from '../../strings/networks.ts'
import { familyNames } from '../../../data/familyNames.ts'
import { networkSide } from './networkSide.ts'
import { useCurrentNetwork } from './useCurrentNetwork.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'

/**
 * Asks the visitor to connect a wallet for the chain family of the selected network.
 *
 * @see spec §2.8.2; docs/views.md#switchactivechain
 */
export function SwitchActiveChain({ data }: { data: ViewData['SwitchActiveChain'] }) {
  const { network } = data
  const kit = useInstance()
  const t = useText(networksText)
  const current = useCurrentNetwork()
  const values = { wallet: useWalletName().first, b: network.name }
  return (
    <div className="gf-body">
      <FacingPages
        state="on"
        from={networkSide(kit, current.network, current.name)}
        to={networkSide(kit, network)}
      />
      <Message title={t('switch.chain', values)}>{t('switch.chainHint', values)}</Message>
      <Button kind="primary" onClick={() => switchActiveChain(kit, data)}>
        {t('switch.connect', { chain: familyNames[network.chainNamespace] ?? network.name })}
      </Button>
    </div>
  )
}
