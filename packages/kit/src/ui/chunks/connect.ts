/** The lazy chunk for the views after the wallet list. Preloaded once the modal is on screen. */
export { ConnectingExternal } from '../views/connect/ConnectingExternal.tsx'
