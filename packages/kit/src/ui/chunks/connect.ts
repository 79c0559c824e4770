/** The lazy chunk of the view that follows the wallet list. Preloaded once the wallet list is on screen. */
export { ConnectingExternal } from '../views/connect/ConnectingExternal.tsx'
