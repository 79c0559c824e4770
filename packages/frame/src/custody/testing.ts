import type { KeyWrap } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import { joinSealed, seal, toSealingKey } from './seal.ts'
import type { RecoveryKey } from './wraps.ts'

// What versions before the public keys stored, for tests of the migration.

/** Wraps a recovery key with a passkey as earlier versions did: AES-256-GCM under the secret itself. */
export async function wrapAsBefore(
  key: RecoveryKey,
  { credentialId, name, prf }: { credentialId: string; name: string; prf: Uint8Array<ArrayBuffer> },
  now: number,
): Promise<Extract<KeyWrap, { method: 'passkey' }>> {
  const source = await crypto.subtle.importKey('raw', prf, 'HKDF', false, ['deriveBits'])
  const info = new TextEncoder().encode(`gatefold recovery key|${key.userId}`)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const secret = new Uint8Array(await crypto.subtle.deriveBits(parameters, source, 256))
  const context = `wrap|${key.userId}|${key.id}|passkey|${credentialId}`
  const wrapped = await sealAsBefore(secret, key.bytes, context)
  return { method: 'passkey', name, createdAt: now, credentialId, wrapped }
}

/** Encrypts bytes under a key, for example a recovery share under the recovery key. */
export async function sealAsBefore(
  key: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array<ArrayBuffer>,
  context: string,
): Promise<string> {
  return base64urlnopad.encode(joinSealed(await seal(await toSealingKey(key), bytes, context)))
}
