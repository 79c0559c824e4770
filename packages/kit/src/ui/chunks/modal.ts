/** The lazy chunk of the modal and its first view: all that a click on a connect button waits for. */
export { connectWallet } from '../../core/connection/connect.ts'
export { Modal, Panel } from '../Modal.tsx'
