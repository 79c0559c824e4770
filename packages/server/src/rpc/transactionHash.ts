import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Call, Reply } from './createUpstream.ts'

/**
 * Turns "already known" into the hash the visitor waits for. When a node took a transaction and its
 * answer was lost, the next upstream is sent the same bytes and says it knows them: the send has
 * worked. The hash of a transaction is the keccak-256 of its bytes (EIP-2718), but for blob
 * transactions, which travel wrapped.
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
