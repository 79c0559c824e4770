import type { KeyWrap } from '@gatefold/protocol/frame'
import { mapHashToField } from '@noble/curves/abstract/modular'
import { p256 } from '@noble/curves/p256'
import { base64urlnopad } from '@scure/base'
import type { Stretch } from './createStretch.ts'
import { splitSealed, toSealingKey, unseal } from './seal.ts'
import { open, sealFor, toOpeningKey, type KeyPair } from './sealFor.ts'

/**
 * The recovery key of a user: a private key on P-256. It is wrapped once for
 * each method.
 *
 * @see docs/custody.md
 */
export type RecoveryKey = {
  id: string
  userId: string
  bytes: Uint8Array<ArrayBuffer>
  /** The wrap that was used, with its public key added; undefined if it already had one. */
  upgraded?: KeyWrap
}

/** The recovery key wrapped for each method, and its user. */
export type LockedKey = { recoveryId: string; userId: string; wraps: readonly KeyWrap[] }

type PasswordWrap = Extract<KeyWrap, { method: 'password' }>
type PasskeyWrap = Extract<KeyWrap, { method: 'passkey' }>
type Owner = Pick<RecoveryKey, 'id' | 'userId'>

/** Costs of new passwords: 64 MiB and three passes. @see RFC 9106, section 4 */
const costs = { memoryKib: 65_536, passes: 3, lanes: 1 }
export const minPasswordLength = 12
const minDifferentCharacters = 6

/** What is wrong with a password. The keys of the frame's strings for these problems end with it. */
export type PasswordProblem = 'password_short' | 'password_simple' | 'password_email'

/** What is wrong with a password; undefined if it can be used. A stolen wrap can be guessed without the server. */
export function passwordProblem(
  password: string,
  email: string | null,
): PasswordProblem | undefined {
  if (password.length < minPasswordLength) return 'password_short'
  if (new Set(password).size < minDifferentCharacters) return 'password_simple'
  const name = email?.split('@')[0]?.toLowerCase()
  if (name && name.length > 3 && password.toLowerCase().includes(name)) return 'password_email'
  return undefined
}

/** Wraps the recovery key with a password. */
export async function wrapWithPassword(
  key: RecoveryKey,
  password: string,
  { stretch, now }: { stretch: Stretch; now: number },
): Promise<PasswordWrap> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const secret = await stretch({ password, salt, ...costs })
  const wrap = {
    method: 'password' as const,
    createdAt: now,
    salt: base64urlnopad.encode(salt),
    ...costs,
    wrapped: '',
  }
  return wrapWith(key, wrap, await toKeyPair(secret, key.userId))
}

/** @throws if the password is wrong. */
export async function unwrapWithPassword(
  owner: Owner,
  wrap: PasswordWrap,
  password: string,
  stretch: Stretch,
): Promise<RecoveryKey> {
  const { salt, memoryKib, passes, lanes } = wrap
  const secret = await stretch({
    password,
    salt: base64urlnopad.decode(salt),
    memoryKib,
    passes,
    lanes,
  })
  return unwrap(owner, wrap, secret)
}

/** Wraps the recovery key with the output of a passkey's PRF. */
export async function wrapWithPasskey(
  key: RecoveryKey,
  passkey: { credentialId: string; name: string; prf: Uint8Array<ArrayBuffer> },
  now: number,
): Promise<PasskeyWrap> {
  const { credentialId, name } = passkey
  const secret = await expand(passkey.prf, `gatefold recovery key|${key.userId}`, 32)
  const wrap = { method: 'passkey' as const, name, createdAt: now, credentialId, wrapped: '' }
  return wrapWith(key, wrap, await toKeyPair(secret, key.userId))
}

/** @throws if the output is from another passkey. */
export async function unwrapWithPasskey(
  owner: Owner,
  wrap: PasskeyWrap,
  prf: Uint8Array<ArrayBuffer>,
): Promise<RecoveryKey> {
  return unwrap(owner, wrap, await expand(prf, `gatefold recovery key|${owner.userId}`, 32))
}

/**
 * Wraps a new recovery key for a method without its secret.
 *
 * @param wrap - with a public key; its signature must have been checked.
 */
export async function rewrap<Wrap extends KeyWrap>(
  key: Pick<RecoveryKey, 'id' | 'userId' | 'bytes'>,
  wrap: Wrap & { publicKey: string },
): Promise<Wrap> {
  return { ...wrap, wrapped: await sealFor(wrap.publicKey, key.bytes, contextOf(key, wrap)) }
}

/** Whether two wraps belong to the same passkey, or to the same password. */
export function isSameMethod(one: KeyWrap, other: KeyWrap): boolean {
  return idOf(one) === idOf(other)
}

/** The public key of a recovery key, uncompressed as base64url. */
export function toPublicKey(bytes: Uint8Array): string {
  return base64urlnopad.encode(p256.getPublicKey(bytes, false))
}

/**
 * The key pair of a method, from the secret that its password or passkey gives.
 *
 * @see FIPS 186-5, appendix A.2.1: 48 bytes, so that the private key is uniform
 */
async function toKeyPair(secret: Uint8Array<ArrayBuffer>, userId: string): Promise<KeyPair> {
  const wide = await expand(secret, `gatefold recovery key pair|${userId}`, 48)
  const bytes = new Uint8Array(mapHashToField(wide, p256.CURVE.n))
  secret.fill(0)
  wide.fill(0)
  return { bytes, publicKey: toPublicKey(bytes) }
}

async function wrapWith<Wrap extends KeyWrap>(
  key: RecoveryKey,
  wrap: Wrap,
  pair: KeyPair,
): Promise<Wrap> {
  pair.bytes.fill(0)
  return rewrap(key, { ...wrap, publicKey: pair.publicKey })
}

async function unwrap(
  owner: Owner,
  wrap: KeyWrap,
  secret: Uint8Array<ArrayBuffer>,
): Promise<RecoveryKey> {
  const context = contextOf(owner, wrap)
  const { id, userId } = owner
  if (wrap.publicKey !== undefined) {
    const pair = await toKeyPair(secret, userId)
    const opening = await toOpeningKey(pair)
    pair.bytes.fill(0)
    return { id, userId, bytes: await open(opening, wrap.wrapped, context) }
  }
  const sealing = await toSealingKey(secret)
  const sealed = splitSealed(new Uint8Array(base64urlnopad.decode(wrap.wrapped)))
  const key = { id, userId, bytes: await unseal(sealing, sealed, context) }
  return { ...key, upgraded: await wrapWith(key, wrap, await toKeyPair(secret, userId)) }
}

async function expand(bytes: Uint8Array<ArrayBuffer>, purpose: string, length: number) {
  const key = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits'])
  const info = new TextEncoder().encode(purpose)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, length * 8))
}

function contextOf({ id, userId }: Owner, wrap: KeyWrap): string {
  const method = wrap.method === 'passkey' ? `passkey|${wrap.credentialId}` : 'password'
  return `wrap|${userId}|${id}|${method}`
}

const idOf = (wrap: KeyWrap) => (wrap.method === 'passkey' ? wrap.credentialId : wrap.salt)
