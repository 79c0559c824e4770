/** The lazy chunk that connects a wallet; preloaded while the modal is open. */
export { attach } from '../connection/attach.ts'
export { connect } from '../connection/connect.ts'
