import { formatMoney } from '../../../core/money/formatMoney.ts'
import { formatRate } from '../../../core/money/formatRate.ts'
import type { OnrampOrder } from '../../../core/money/onramp/onramp.ts'
import { useKitState } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'

/** Texts about an order; empty until it is known. */
export function useOrderTexts(order: OnrampOrder | undefined) {
  const t = useText(buyText)
  const locale = useKitState((state) => state.locale)
  const tokensOf = ({ symbol, received, quoted }: OnrampOrder) =>
    `${formatRate(received ?? quoted, locale)} ${symbol}`
  const outcome = (one: OnrampOrder) =>
    one.status === 'paid'
      ? t('buy.paid', { amount: tokensOf(one) })
      : t('buy.failedToast', { provider: one.providerName })
  if (!order) return { money: '', fee: '', amount: '', summary: '', outcome }
  const amount = tokensOf(order)
  const fiat = (value: string) => formatMoney(value, order.currency, locale).join('')
  const summary = {
    created: t('buy.created'),
    pending: t('buy.pending', { amount }),
    paid: t('buy.paid', { amount }),
    failed: t('buy.failedOrder'),
    expired: t('buy.expired'),
  }[order.status]
  return {
    /** The payment. */
    money: fiat(order.amount),
    fee: fiat(order.fee),
    /** The received amount or, until it is known, the quoted amount. */
    amount,
    summary,
    /** A sentence about an order that has ended. */
    outcome,
  }
}
