import type { KeyWrap } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import type { Stretch } from './createStretch.ts'
import { joinSealed, seal, splitSealed, toSealingKey, unseal } from './seal.ts'

/** The recovery key of a user. It is wrapped once for each method. @see docs/custody.md */
export type RecoveryKey = { id: string; userId: string; bytes: Uint8Array<ArrayBuffer> }

/** The recovery key wrapped for each method, and its user. */
export type LockedKey = { recoveryId: string; userId: string; wraps: readonly KeyWrap[] }

type PasswordWrap = Extract<KeyWrap, { method: 'password' }>
type PasskeyWrap = Extract<KeyWrap, { method: 'passkey' }>
type Owner = Pick<RecoveryKey, 'id' | 'userId'>

/** Costs of new passwords: 64 MiB and three passes. @see RFC 9106, section 4 */
const costs = { memoryKib: 65_536, passes: 3, lanes: 1 }
export const minPasswordLength = 12
const minDifferentCharacters = 6

/** The end of the key of a string that says what is wrong with a password. */
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
  return {
    method: 'password',
    createdAt: now,
    salt: base64urlnopad.encode(salt),
    ...costs,
    wrapped: await wrap(key, secret, 'password'),
  }
}

/** @throws if the password is wrong. */
export async function unwrapWithPassword(
  owner: Owner,
  { salt, memoryKib, passes, lanes, wrapped }: PasswordWrap,
  password: string,
  stretch: Stretch,
): Promise<RecoveryKey> {
  const secret = await stretch({
    password,
    salt: base64urlnopad.decode(salt),
    memoryKib,
    passes,
    lanes,
  })
  return unwrap(owner, wrapped, secret, 'password')
}

/** Wraps the recovery key with the output of a passkey's PRF. */
export async function wrapWithPasskey(
  key: RecoveryKey,
  passkey: { credentialId: string; name: string; prf: Uint8Array<ArrayBuffer> },
  now: number,
): Promise<PasskeyWrap> {
  const { credentialId, name } = passkey
  const secret = await expand(passkey.prf, key.userId)
  const wrapped = await wrap(key, secret, `passkey|${credentialId}`)
  return { method: 'passkey', name, createdAt: now, credentialId, wrapped }
}

/** @throws if the output is from another passkey. */
export async function unwrapWithPasskey(
  owner: Owner,
  { credentialId, wrapped }: PasskeyWrap,
  prf: Uint8Array<ArrayBuffer>,
): Promise<RecoveryKey> {
  return unwrap(owner, wrapped, await expand(prf, owner.userId), `passkey|${credentialId}`)
}

async function expand(prf: Uint8Array<ArrayBuffer>, userId: string) {
  const key = await crypto.subtle.importKey('raw', prf, 'HKDF', false, ['deriveBits'])
  const info = new TextEncoder().encode(`gatefold recovery key|${userId}`)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 256))
}

async function wrap(key: RecoveryKey, secret: Uint8Array<ArrayBuffer>, method: string) {
  const sealing = await toSealingKey(secret)
  secret.fill(0)
  return base64urlnopad.encode(joinSealed(await seal(sealing, key.bytes, contextOf(key, method))))
}

async function unwrap(
  owner: Owner,
  wrapped: string,
  secret: Uint8Array<ArrayBuffer>,
  method: string,
): Promise<RecoveryKey> {
  const sealing = await toSealingKey(secret)
  secret.fill(0)
  const sealed = splitSealed(new Uint8Array(base64urlnopad.decode(wrapped)))
  const bytes = await unseal(sealing, sealed, contextOf(owner, method))
  return { id: owner.id, userId: owner.userId, bytes }
}

const contextOf = ({ id, userId }: Owner, method: string) => `wrap|${userId}|${id}|${method}`
