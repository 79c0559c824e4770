/** The lazy chunk of the views in which a swap is entered. */
export { Swap } from '../views/swap/Swap.tsx'
export { SwapSelectToken } from '../views/swap/SwapSelectToken.tsx'
