/** The lazy chunk of what follows the wallet list: preloaded once the modal is on screen. */
export { preload } from '../../core/kit/preload.ts'
export { ConnectingExternal } from '../views/connect/ConnectingExternal.tsx'
