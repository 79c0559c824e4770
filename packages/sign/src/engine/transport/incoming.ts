import type { RpcResponse, StoredRecord } from '../state/schemas.ts'

/** A request from a peer. `params` are not validated yet. */
export type IncomingRequest = {
  id: number
  topic: string
  params: unknown
  /** The decrypted text and its envelope. An attestation covers the hashes of both. */
  text: string
  message: string
  attestation: string | undefined
  transport: 'relay' | 'link_mode'
  /** Whether the message was encrypted for its topic. Otherwise, anyone can have sent it, with any topic. */
  isEncrypted: boolean
}

/** A response to a sent request. */
export type IncomingResponse = { record: StoredRecord; response: RpcResponse }
