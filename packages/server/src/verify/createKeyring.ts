import { randomBytes } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import type { Database } from '../storage/openStorage.ts'
import {
  addKey,
  deleteKeysBelow,
  listKeys,
  type KeyAlgorithm,
  type StoredKey,
} from '../storage/verify.ts'

/** A process looks for new keys this often. */
const freshMs = 5_000
/** A new key signs once every process has seen it. */
const leadMs = 2 * freshMs
/** A replaced key is published until what it signed has run out, on a clock that is wrong too. */
const overlapMs = (limits.verifyAttestationSeconds + limits.verifyClockSkewSeconds) * 1000

export type Keyring = {
  /** The key that signs attestations now. */
  signingKey(): Promise<CryptoKey>
  /** Public keys whose attestations are good: the one that signs now first. */
  publicKeys(): Promise<JWK[]>
  /** The secret that binds what framed pages send back. */
  secret(): Promise<Uint8Array>
}

/**
 * The verify service's keys, shared by all processes of a database. They are made at first use, and
 * while the database is away those that were read last go on signing.
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

  /** The greatest that is active; a clock behind the one that made the first key uses it all the same. */
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
      const others = keys.filter((key, index) => key !== active && !isOver(keys[index + 1], now()))
      return [active, ...others].map(({ jwk }) => toPublic(JSON.parse(jwk) as JWK))
    },
    async secret() {
      const { jwk } = await activeKey('HS256')
      return Buffer.from((JSON.parse(jwk) as { k: string }).k, 'base64url')
    },
  }
}

/** Whether what a key signed has run out, told by the key that came after it. */
function isOver(next: StoredKey | undefined, now: number): boolean {
  return next !== undefined && next.activeFrom + overlapMs <= now
}

/** @see contract of the relay, 6 */
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
  // Another process may have been first.
  return listKeys(db)
}

async function generateJwk(alg: KeyAlgorithm): Promise<string> {
  if (alg === 'HS256')
    return JSON.stringify({ kty: 'oct', k: randomBytes(32).toString('base64url') })
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/**
 * Makes new keys.
 *
 * @param options.atOnce - for a key that leaked: the new ones sign now, the old ones are forgotten.
 *   Otherwise the new one starts when every process knows it, and the old one stays published until
 *   what it signed has run out.
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
    // Of a change a moment ago the key before it may still sign, or its attestations be under way.
    const kept = known.find((_, index) => !isOver(known[index + 1], now))!.serial
    await deleteKeysBelow(db, alg, atOnce ? serial : kept)
  }
  return activeFrom
}
