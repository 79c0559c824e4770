/** The lazy chunk of the views in which a purchase is chosen. */
export { OnRampFiatSelect } from '../views/buy/OnRampFiatSelect.tsx'
export { OnRampProviders } from '../views/buy/OnRampProviders.tsx'
export { OnRampTokenSelect } from '../views/buy/OnRampTokenSelect.tsx'
