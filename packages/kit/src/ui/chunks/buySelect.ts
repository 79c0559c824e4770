/**
 * The lazy chunk of the views that select the currency and the token of a
 * purchase.
 */
export { OnRampFiatSelect } from '../views/buy/OnRampFiatSelect.tsx'
export { OnRampTokenSelect } from '../views/buy/OnRampTokenSelect.tsx'
