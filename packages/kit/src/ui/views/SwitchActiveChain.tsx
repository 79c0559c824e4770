import { switchActiveChain } from '../../core/actions/switchNetwork.ts'
import type { ViewData } from '../../core/view.ts'
import { useKit } from '../../react/context.ts'
import { Button } from '../parts/Button.tsx'
import { Say } from '../parts/Say.tsx'
import { Spread } from '../parts/Spread.tsx'
import { useText } from '../parts/useText.ts'
import { networksText } from '../strings/networks.ts'
import { familyNames } from './familyNames.ts'
import { sideOf } from './sideOf.ts'
import { useHere } from './useHere.ts'
import { useWalletName } from './useWalletName.ts'

/**
 * The network belongs to another chain family, and no wallet is linked there.
 *
 * @see spec §2.8.2; views.md “SwitchActiveChain”
 */
export function SwitchActiveChain({ data }: { data: ViewData['SwitchActiveChain'] }) {
  const { network } = data
  const kit = useKit()
  const t = useText(networksText)
  const here = useHere()
  const values = { wallet: useWalletName().first, b: network.name }
  return (
    <div className="gf-body">
      <Spread state="on" from={sideOf(kit, here.network, here.name)} to={sideOf(kit, network)} />
      <Say title={t('switch.chain', values)}>{t('switch.chainHint', values)}</Say>
      <Button kind="primary" onClick={() => switchActiveChain(kit, data)}>
        {t('switch.connect', { chain: familyNames[network.chainNamespace] ?? network.name })}
      </Button>
    </div>
  )
}
