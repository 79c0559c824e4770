// What only a wallet's side does, as one chunk: an app never loads it.
export { pair } from './wallet/pair.ts'
export { checkPeer, onPropose, showProposal } from './wallet/propose.ts'
export { emit, onRequest, respond } from './wallet/request.ts'
export { extend, update } from './wallet/session.ts'
export { approve, onSettleResponse, reject } from './wallet/settle.ts'
