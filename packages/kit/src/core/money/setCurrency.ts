import { OptionsError } from '../kit/kitErrors.ts'
import type { Kit } from '../kit/Kit.ts'
import { isCurrency } from '../kit/preferences.ts'
import { setPreferences } from '../kit/setPreferences.ts'

// A separate module, because the account view sets no currency.

/**
 * Sets the currency of values and prices as the visitor's choice: it is stored,
 * and takes precedence over the option `currency`.
 *
 * @throws {OptionsError} it does not have the form of an ISO 4217 code
 * @example setCurrency(kit, 'EUR')
 */
export function setCurrency(kit: Kit, currency: string): void {
  if (!isCurrency(currency))
    throw new OptionsError(`“${String(currency)}” is not an ISO 4217 code`, {
      code: 'options.currency',
      metaMessages: ["Pass three capital letters, such as 'EUR'."],
    })
  setPreferences(kit, { currency })
}
