import { formatBalance } from '../../../core/account/formatBalance.ts'
import { formatMoney } from '../../../core/money/formatMoney.ts'
import { useKitState } from '../../../react/context.ts'

/** An amount of a token with its symbol. Isolated, because the symbol may be in another script. */
export function TokenAmount(props: { amount: string; symbol: string }) {
  const locale = useKitState((state) => state.locale)
  return (
    <bdi>
      {formatBalance(props.amount, locale)} <bdi>{props.symbol}</bdi>
    </bdi>
  )
}

/** An amount of US dollars. */
export function Money(props: { value: string; compact?: boolean }) {
  const locale = useKitState((state) => state.locale)
  const { value, compact = false } = props
  return <bdi>{formatMoney(value, locale, { compact }).join('')}</bdi>
}
