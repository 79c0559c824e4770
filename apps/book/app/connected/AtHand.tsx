import { KitMoney } from '../wallet/KitMoney.tsx'
import { useMoney } from '../wallet/money.ts'
import { useWallet } from '../wallet/wallet.ts'
import { firstSteps } from './firstSteps.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { Latest } from './Latest.tsx'
import { Purse } from './Purse.tsx'
import stylesheet from './connected.css?url'

/**
 * The connected account: its total, actions and first tokens on the left page;
 * its latest activity, or the first steps of a new account, on the right page.
 * A separate chunk, with its stylesheet.
 */
export default function AtHand() {
  return (
    <KitMoney>
      {/* With a precedence, React waits for the stylesheet before it shows this component. */}
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Spread />
    </KitMoney>
  )
}

function Spread() {
  const money = useMoney()
  const { network } = useWallet()
  // Chains of apps/chain.
  const steps = firstSteps(money, network?.id === 31337 || network?.id === 31338)
  const isAlone = money.holdings.status === 'missing' && money.latest.status === 'missing'
  return (
    <div className="at-hand" data-alone={isAlone || undefined}>
      <Purse />
      {!isAlone &&
        (steps && steps.length > 0 ? <FirstSteps steps={steps} /> : <Latest isLoading={!steps} />)}
    </div>
  )
}
