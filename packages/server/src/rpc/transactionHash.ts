import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Call } from './batch.ts'
import type { Reply } from './createUpstream.ts'

/**
 * Replaces the error "already known" by the transaction's hash. The error means that an upstream accepted
 * the transaction before, but its response was lost. The hash is the keccak-256 of the sent bytes
 * (EIP-2718). Errors for blob transactions are not replaced, because the sent bytes include the blobs, which
 * the hash does not cover.
 */
export function acceptKnownTransaction(call: Call, reply: Reply): Reply {
  if (call.method !== 'eth_sendRawTransaction') return reply
  const [raw] = Array.isArray(call.params) ? (call.params as unknown[]) : []
  const isKnown =
    'error' in reply &&
    /already known|already imported|known transaction/i.test(reply.error.message)
  if (!isKnown || typeof raw !== 'string') return reply
  if (raw.toLowerCase().startsWith('0x03')) return reply
  return { result: `0x${bytesToHex(keccak_256(Buffer.from(raw.slice(2), 'hex')))}` }
}
