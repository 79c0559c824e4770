import { fromUnits, multiply } from '../../../core/money/decimal.ts'
import type { Token } from '../../../core/money/tokens.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { useText } from '../../hooks/useText.ts'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Fact } from '../../parts/money/Facts.tsx'
import { sendText } from '../../strings/send.ts'

/**
 * Shows the highest fee that the account pays, with its value if the native currency has a price. If a sponsor pays,
 * says that the transfer is free. If the fee is not known yet, says where it will be shown.
 */
export function FeeFact(props: {
  /** In the smallest unit of the native currency. */
  fee: bigint | undefined
  native: Token | undefined
  network: Network
}) {
  const { fee, native } = props
  const t = useText(sendText)
  if (!fee)
    return <Fact label={t('send.fee')}>{t(fee === undefined ? 'send.feeLater' : 'send.free')}</Fact>
  const { decimals, symbol } = props.network.nativeCurrency
  const amount = fromUnits(fee, decimals)
  return (
    <Fact label={t('send.gas')}>
      <TokenAmount amount={amount} symbol={symbol} as="fee" />
      {native?.price !== undefined && (
        <small>
          <Money value={multiply(amount, native.price)} />
        </small>
      )}
    </Fact>
  )
}
