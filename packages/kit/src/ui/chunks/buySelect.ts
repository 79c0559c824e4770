/** The lazy chunk of the views in which the currency and the token of a purchase are chosen. */
export { OnRampFiatSelect } from '../views/buy/OnRampFiatSelect.tsx'
export { OnRampTokenSelect } from '../views/buy/OnRampTokenSelect.tsx'
