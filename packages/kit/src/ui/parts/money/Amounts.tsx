import { formatBalance } from '../../../core/account/formatBalance.ts'
import { formatAmount } from '../../../core/money/formatAmount.ts'
import { useKitState } from '../../../react/context.ts'
import { useMoney } from '../../hooks/useMoney.ts'

/**
 * Number of digits to which estimates are rounded up: a fee, or an amount with
 * its fee.
 */
const digits = { fee: 2, total: 6 }

/**
 * An amount of a token with its symbol. Isolated, because the symbol may be in another script.
 *
 * @param props.as - `exact` shows every digit, `fee` and `total` round up; by default, rounded down as a balance
 */
export function TokenAmount(props: {
  amount: string
  symbol: string
  as?: 'exact' | 'fee' | 'total'
}) {
  const locale = useKitState((state) => state.locale)
  const { amount, symbol, as } = props
  const text = as
    ? formatAmount(amount, locale, { significantDigits: as === 'exact' ? undefined : digits[as] })
    : formatBalance(amount, locale)
  return (
    <bdi>
      {text} <bdi>{symbol}</bdi>
    </bdi>
  )
}

/** An amount in the visitor's currency. @param props.value - a decimal number, from prices in this currency */
export function Money(props: { value: string; compact?: boolean }) {
  const format = useMoney()
  return <bdi>{format(props.value, { compact: props.compact }).join('')}</bdi>
}
