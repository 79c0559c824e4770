import { formatMoney } from '../../core/money/formatMoney.ts'
import { useKitState } from '../../react/context.ts'

/**
 * Returns a function that formats amounts in the visitor's currency, as
 * `formatMoney` does. Every query for prices has the currency in its key, so
 * the currency of an amount on screen always matches its symbol.
 */
export function useMoney() {
  const locale = useKitState((state) => state.locale)
  const currency = useKitState((state) => state.preferences.currency)
  return (value: string, options?: { compact?: boolean | undefined }) =>
    formatMoney(value, currency, locale, options)
}
