import * as v from 'valibot'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Clock } from '../SignClient.ts'
import type { FetchJson } from './createFetchJson.ts'
import type { Attestation } from './readAttestation.ts'
import { parseShape } from '../validation/parseShape.ts'

const Jwk = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.string(),
  y: v.string(),
})

const Keys = v.object({
  publicKey: Jwk,
  /** Unix time in seconds. */
  expiresAt: v.number(),
  /** All valid keys; only services that rotate keys send them. */
  keys: v.optional(v.array(Jwk)),
})

type Keys = v.InferOutput<typeof Keys>

export type PublicKeys = {
  /** Loads unexpired keys from storage or from the service. */
  load(): Promise<void>
  /** Verifies the signature. Rejects on pages without WebCrypto. */
  verify(attestation: Attestation): Promise<boolean>
}

/**
 * Caches the verify service's public keys until they expire. If a signature does not match, they are refetched,
 * because the service may have rotated them.
 */
export function createPublicKeys(options: {
  verifyUrl: string
  storage: KeyValueStore
  clock: Clock
  fetchJson: FetchJson
}): PublicKeys {
  const { verifyUrl, storage, clock, fetchJson } = options
  const storageKey = `gatefold:verify:${verifyUrl}`
  let cached: Keys | undefined
  let fetching: Promise<Keys | undefined> | undefined

  async function readStored(): Promise<Keys | undefined> {
    try {
      const text = await storage.getItem(storageKey)
      return text === undefined ? undefined : v.parse(Keys, JSON.parse(text))
    } catch {
      // The stored keys are invalid or unreadable, so new keys are fetched.
      return undefined
    }
  }

  async function fetchKeys(): Promise<Keys | undefined> {
    const parsed = parseShape(Keys, await fetchJson(`${verifyUrl}/public-key`))
    if (!parsed.success) return undefined
    cached = parsed.output
    // If the write fails, the keys are cached in memory only.
    await storage.setItem(storageKey, JSON.stringify(cached)).catch(() => undefined)
    return cached
  }

  const refresh = () => (fetching ??= fetchKeys().finally(() => (fetching = undefined)))

  async function current(): Promise<Keys | undefined> {
    cached ??= await readStored()
    return cached && cached.expiresAt * 1000 > clock.now() ? cached : undefined
  }

  return {
    async load() {
      if (!(await current())) await refresh()
    },
    async verify(attestation) {
      const known = (await current()) ?? (await fetching)
      if (known && (await isSignedBy(attestation, known))) return true
      const keys = await refresh()
      return keys !== undefined && isSignedBy(attestation, keys)
    },
  }
}

async function isSignedBy({ signed, signature }: Attestation, { publicKey, keys }: Keys) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  for (const jwk of keys ?? [publicKey]) {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    if (await crypto.subtle.verify(algorithm, key, signature, signed)) return true
  }
  return false
}
