/** The lazy chunk of the embedded wallet's ways to connect, and of the table of its views. Loaded with the modal. */
export { embeddedViews } from '../../ui/views/embeddedWallet/views.ts'
