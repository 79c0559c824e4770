import { addViews } from '../../ui/views.ts'
import { walletConnectViews } from '../../ui/views/walletConnect/views.ts'

/*
 * The lazy chunk of the modal and its first view: the only code that the first click has to load. The
 * views of connectors are registered here.
 */
addViews(walletConnectViews)

export { connectWallet } from '../../core/connection/connect.ts'
export { Modal, Panel } from '../../ui/Modal.tsx'
