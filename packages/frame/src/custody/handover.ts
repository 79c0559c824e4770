import { createOpeningKey, open, sealFor } from './sealFor.ts'

// A page of the frame's origin encrypts the recovery key for the frame inside
// another page. The server forwards the message and cannot read it.

const context = 'handover'

/**
 * The receiving side. Its private key is non-extractable and exists only as
 * long as the document.
 */
export type Receiver = { publicKey: string; open(sealed: string): Promise<Uint8Array<ArrayBuffer>> }

export async function createReceiver(): Promise<Receiver> {
  const key = await createOpeningKey()
  return { publicKey: key.publicKey, open: (sealed) => open(key, sealed, context) }
}

/** Encrypts bytes for a receiver. */
export function sealForReceiver(publicKey: string, bytes: Uint8Array<ArrayBuffer>) {
  return sealFor(publicKey, bytes, context)
}

/** Four digits that both windows show, so that the visitor sees that they belong together. */
export async function toCheckDigits(publicKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(publicKey))
  return String(new DataView(digest).getUint32(0) % 10_000).padStart(4, '0')
}
