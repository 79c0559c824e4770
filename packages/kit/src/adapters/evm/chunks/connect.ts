/** The lazy chunk that connects a wallet; preloaded while the modal is open. */
export { connect } from '../connect.ts'
export { switchNetwork } from '../switchNetwork.ts'
