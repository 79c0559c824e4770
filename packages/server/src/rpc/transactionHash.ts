import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Call, Reply } from './createUpstream.ts'

/**
 * Turns the error "already known" into the transaction's hash. It means that an earlier upstream
 * accepted the transaction and its response was lost, so the retry at the next upstream succeeded.
 * The hash is the keccak-256 of the bytes (EIP-2718), except for blob transactions, which are sent
 * with their blobs.
 */
export function acceptKnownTransaction(call: Call, reply: Reply): Reply {
  const [raw] = Array.isArray(call.params) ? (call.params as unknown[]) : []
  const isKnown =
    'error' in reply &&
    /already known|already imported|known transaction/i.test(reply.error.message)
  if (call.method !== 'eth_sendRawTransaction' || !isKnown || typeof raw !== 'string') return reply
  if (raw.toLowerCase().startsWith('0x03')) return reply
  return { result: `0x${bytesToHex(keccak_256(Buffer.from(raw.slice(2), 'hex')))}` }
}
