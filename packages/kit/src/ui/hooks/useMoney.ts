import { formatMoney } from '../../core/money/formatMoney.ts'
import { useKitState } from '../../react/context.ts'

/**
 * Returns a function that formats amounts in the visitor's currency, as `formatMoney` does. Every query for prices has the
 * currency in its key, so that amounts on screen are never in another currency than their symbol says.
 */
export function useMoney() {
  const locale = useKitState((state) => state.locale)
  const currency = useKitState((state) => state.preferences.currency)
  return (value: string, options?: { compact?: boolean | undefined }) =>
    formatMoney(value, currency, locale, options)
}
