/** The lazy chunk of the modal, its first view, and the table of connectors' views. */
export { connectWallet } from '../../core/connection/connect.ts'
export { Modal, Panel } from '../../ui/Modal.tsx'
export { addConnectorViews, addViews } from '../../ui/views.ts'
export { walletConnectViews } from '../../ui/views/walletConnect/views.ts'
