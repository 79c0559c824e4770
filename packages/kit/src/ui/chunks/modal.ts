/** The lazy chunk of the modal and its first view: the only code that the first click has to load. */
export { connectWallet } from '../../core/connection/connect.ts'
export { Modal, Panel } from '../Modal.tsx'
