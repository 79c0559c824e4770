// What an app needs never or seldom, in one chunk: the wallet's side, links in place of the relay, and
// what an official client or the last page left.
export { adoptRecords } from './adoptRecords.ts'
export { checkLink, handleLink, sendLinkedAnswer, sendLinkedRequest } from './link.ts'
export { sendUnsent } from './sendUnsent.ts'
export { pair } from './wallet/pair.ts'
export { checkPeer, onPropose, showProposal } from './wallet/propose.ts'
export { emit, onRequest, respond } from './wallet/request.ts'
export { extend, update } from './wallet/session.ts'
export { approve, onSettleResponse, reject } from './wallet/settle.ts'
