/**
 * The lazy chunk of the embedded wallet's connect methods and the table of its
 * views. Loaded with the modal.
 */
export { embeddedViews } from '../../ui/views/embeddedWallet/views.ts'
