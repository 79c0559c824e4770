import { randomBytes } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import type { Database } from '../storage/Database.ts'
import {
  addKey,
  deleteKeysBelow,
  listKeys,
  type KeyAlgorithm,
  type StoredKey,
} from '../storage/verify.ts'

/** How long a process caches the keys. */
const freshMs = 5_000
/** Delay after which a new key signs. By then, every process has loaded it. */
const leadMs = 2 * freshMs
/** How long a replaced key stays published: until its attestations have expired, including clock skew. */
const overlapMs = (limits.verifyAttestationSeconds + limits.verifyClockSkewSeconds) * 1000

export type Keyring = {
  /** The key that currently signs attestations. */
  signingKey(): Promise<CryptoKey>
  /** The published keys: the active one first, then the previous and the next ones. */
  publicKeys(): Promise<JWK[]>
  /** The secret that signs the tokens of framed pages. */
  secret(): Promise<Uint8Array>
}

/**
 * Manages the verify service's keys. They are shared by all processes on a database, and created at first
 * use. While the database is down, the cached keys are used.
 */
export function createKeyring(options: { db: Kysely<Database>; now: () => number }): Keyring {
  const { db, now } = options
  const imported = new Map<string, Promise<CryptoKey>>()
  let known: { keys: StoredKey[]; readAt: number } | undefined
  let reading: Promise<StoredKey[]> | undefined

  async function read(): Promise<StoredKey[]> {
    try {
      const keys = await ensureKeys(db, now())
      known = { keys, readAt: now() }
      return keys
    } catch (error) {
      if (!known) throw new StorageUnavailableError(error)
      known.readAt = now()
      return known.keys
    } finally {
      reading = undefined
    }
  }

  async function keysOf(alg: KeyAlgorithm) {
    const keys = known && now() - known.readAt < freshMs ? known.keys : await (reading ??= read())
    return keys.filter((key) => key.alg === alg)
  }

  /** The latest active key. If this process's clock is so far behind that none is active, the first key. */
  async function activeKey(alg: KeyAlgorithm): Promise<StoredKey> {
    const keys = await keysOf(alg)
    return keys.findLast(({ activeFrom }) => activeFrom <= now()) ?? keys[0]!
  }

  return {
    async signingKey() {
      const { jwk } = await activeKey('ES256')
      let key = imported.get(jwk)
      if (!key) {
        key = importJWK(JSON.parse(jwk) as JWK, 'ES256') as Promise<CryptoKey>
        imported.set(jwk, key)
      }
      return key
    },
    async publicKeys() {
      const keys = await keysOf('ES256')
      const active = await activeKey('ES256')
      const others = keys.filter(
        (key, index) => key !== active && !hasExpired(keys[index + 1], now()),
      )
      return [active, ...others].map(({ jwk }) => toPublic(JSON.parse(jwk) as JWK))
    },
    async secret() {
      const { jwk } = await activeKey('HS256')
      return Buffer.from((JSON.parse(jwk) as { k: string }).k, 'base64url')
    },
  }
}

/** Whether all attestations of a key have expired. `next` is the key that replaced it, if any. */
function hasExpired(next: StoredKey | undefined, now: number): boolean {
  return next !== undefined && next.activeFrom + overlapMs <= now
}

/** @see docs/contracts/verify.md#public-key */
function toPublic({ kty, crv, x, y }: JWK): JWK {
  return { kty: kty!, crv: crv!, x: x!, y: y!, ext: true, key_ops: ['verify'] }
}

async function ensureKeys(db: Kysely<Database>, now: number): Promise<StoredKey[]> {
  const keys = await listKeys(db)
  const missing = (['ES256', 'HS256'] as const).filter(
    (wanted) => !keys.some(({ alg }) => alg === wanted),
  )
  if (missing.length === 0) return keys
  for (const alg of missing)
    await addKey(db, { alg, serial: 1, jwk: await generateJwk(alg), activeFrom: now })
  // Another process may have stored its keys first.
  return listKeys(db)
}

async function generateJwk(alg: KeyAlgorithm): Promise<string> {
  if (alg === 'HS256')
    return JSON.stringify({ kty: 'oct', k: randomBytes(32).toString('base64url') })
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/**
 * Replaces the key that signs attestations.
 *
 * @param options.atOnce - for a leaked key: also replaces the secret. The new keys sign immediately, and the old
 *   ones are deleted. Otherwise the new key signs once every process has loaded it, and the old one stays
 *   published until its attestations have expired.
 * @returns Unix time in ms from which the new key signs.
 */
export async function rotateKeys(
  db: Kysely<Database>,
  now: number,
  options: { atOnce: boolean },
): Promise<number> {
  const { atOnce } = options
  const keys = await ensureKeys(db, now)
  const activeFrom = atOnce ? now : now + leadMs
  for (const alg of atOnce ? (['ES256', 'HS256'] as const) : (['ES256'] as const)) {
    const known = keys.filter((key) => key.alg === alg)
    const serial = known.at(-1)!.serial + 1
    await addKey(db, { alg, serial, jwk: await generateJwk(alg), activeFrom })
    // After a recent rotation, an earlier key may still sign or have valid attestations.
    const kept = known.find((_, index) => !hasExpired(known[index + 1], now))!.serial
    await deleteKeysBelow(db, alg, atOnce ? serial : kept)
  }
  return activeFrom
}
