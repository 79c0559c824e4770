import { base64urlnopad } from '@scure/base'
import { joinSealed, seal, splitSealed, unseal } from './seal.ts'

// A page of the frame's origin encrypts the recovery key for the frame inside
// another page: ECDH on P-256, HKDF-SHA-256 and AES-256-GCM. The server
// forwards the message and cannot read it.

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const publicKeyLength = 65

/**
 * The receiving side. Its private key is non-extractable and exists only as
 * long as the document.
 */
export type Receiver = { publicKey: string; open(sealed: string): Promise<Uint8Array<ArrayBuffer>> }

export async function createReceiver(): Promise<Receiver> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const own = base64urlnopad.encode(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
  return {
    publicKey: own,
    async open(sealed) {
      const bytes = new Uint8Array(base64urlnopad.decode(sealed))
      const sender = bytes.slice(0, publicKeyLength)
      const key = await agree(privateKey, sender, own)
      return unseal(key, splitSealed(bytes.slice(publicKeyLength)), 'handover')
    },
  }
}

/** Encrypts bytes for a receiver. */
export async function sealFor(publicKey: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const own = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const receiver = new Uint8Array(base64urlnopad.decode(publicKey))
  const key = await agree(own.privateKey, receiver, publicKey)
  const sealed = joinSealed(await seal(key, bytes, 'handover'))
  const sender = new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey))
  return base64urlnopad.encode(new Uint8Array([...sender, ...sealed]))
}

/** Four digits that both windows show, so that the visitor sees that they belong together. */
export async function toCheckDigits(publicKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(publicKey))
  return String(new DataView(digest).getUint32(0) % 10_000).padStart(4, '0')
}

/** @param receiver - the public key of the receiver, which the derived key is bound to. */
async function agree(privateKey: CryptoKey, other: Uint8Array<ArrayBuffer>, receiver: string) {
  const key = await crypto.subtle.importKey('raw', other, curve, false, [])
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: key }, privateKey, 256)
  const secret = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode(`gatefold handover|${receiver}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
