/** The lazy chunk for the views after the wallet list. Preloaded once the modal is on screen. */
export { preload } from '../../core/kit/preload.ts'
export { ConnectingExternal } from '../views/connect/ConnectingExternal.tsx'
