export { createSignClient } from './createSignClient.ts'
export { buildApprovedNamespaces, UnsatisfiableProposalError } from './buildApprovedNamespaces.ts'
export { formatAuthMessage } from './auth/message.ts'
export { ExpiredError, PeerError, RelayError, ValidationError } from './errors.ts'
export {
  formatPairingUri,
  isPairingExpired,
  parsePairingUri,
  PairingUriError,
  type PairingUri,
} from './pairingUri.ts'
export { getReason, reasons, type ReasonKey } from './reasons.ts'
export type * from './KeyValueStore.ts'
export type * from './Session.ts'
export type * from './SignClient.ts'
