import type { RpcResponse, StoredRecord } from '../state/schemas.ts'

/** A request of a peer. Only its frame was looked at; `params` are whatever they are. */
export type IncomingRequest = {
  id: number
  topic: string
  params: unknown
  /** The inner text and the envelope it came in: what an attestation is about. */
  text: string
  message: string
  attestation: string | undefined
  transport: 'relay' | 'link_mode'
}

/** The answer to an own request. */
export type IncomingResponse = { record: StoredRecord; response: RpcResponse }
