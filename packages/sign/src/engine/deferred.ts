// Entry of a chunk that most apps never load: the wallet's side, link mode, the eviction of records, and code for
// records that an official client or an earlier page stored.
export { evictSurplusRecords } from './state/evictSurplusRecords.ts'
export { importOfficialRecords } from './state/importOfficialRecords.ts'
export { checkLink, handleLink, sendLinkResponse, sendLinkRequest } from './transport/link.ts'
export { resendUnsent } from './transport/resendUnsent.ts'
export { pair } from './wallet/pair.ts'
export { checkPeer, onPropose, emitProposal } from './wallet/propose.ts'
export { emit, onRequest, respond } from './wallet/request.ts'
export { extend, update } from './wallet/session.ts'
export { approve, onSettleResponse, reject } from './wallet/settle.ts'
