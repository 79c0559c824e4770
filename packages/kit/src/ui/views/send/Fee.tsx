import { fromUnits, multiply } from '../../../core/money/decimal.ts'
import type { Token } from '../../../core/money/tokens.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'

/** An amount of the native currency, such as a fee, with its value if the currency has a price. */
export function Fee(props: { units: bigint; native: Token | undefined; network: Network }) {
  const { decimals, symbol } = props.network.nativeCurrency
  const amount = fromUnits(props.units, decimals)
  return (
    <>
      <TokenAmount amount={amount} symbol={symbol} as="fee" />
      {props.native?.price !== undefined && (
        <small>
          <Money value={multiply(amount, props.native.price)} />
        </small>
      )}
    </>
  )
}
