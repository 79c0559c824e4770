import * as v from 'valibot'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Clock } from '../SignClient.ts'
import type { FetchJson } from './createFetchJson.ts'
import type { Attestation } from './readAttestation.ts'

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
  /** Every key whose attestations are good, where the service tells. */
  keys: v.optional(v.array(Jwk)),
})

type Keys = v.InferOutput<typeof Keys>

export type PublicKeys = {
  /** Those that are good now: what is stored, else what the service says. */
  load(): Promise<void>
  /** Whether the service signed it. Rejects where the page may not use WebCrypto. */
  signed(attestation: Attestation): Promise<boolean>
}

/**
 * The keys of the verify service, kept in storage until they expire; asked for once more when a
 * signature does not fit, since they may have been replaced.
 */
export function createPublicKeys(options: {
  verifyUrl: string
  storage: KeyValueStore
  clock: Clock
  ask: FetchJson
}): PublicKeys {
  const { verifyUrl, storage, clock, ask } = options
  const place = `gatefold:verify:${verifyUrl}`
  let known: Keys | undefined
  let asking: Promise<Keys | undefined> | undefined

  async function stored(): Promise<Keys | undefined> {
    try {
      const text = await storage.getItem(place)
      return text === undefined ? undefined : v.parse(Keys, JSON.parse(text))
    } catch {
      // Damaged or not readable: the service has them.
      return undefined
    }
  }

  async function fetchKeys(): Promise<Keys | undefined> {
    const answer = v.safeParse(Keys, await ask(`${verifyUrl}/public-key`))
    if (!answer.success) return undefined
    known = answer.output
    // Kept in memory where it cannot be stored.
    await storage.setItem(place, JSON.stringify(known)).catch(() => undefined)
    return known
  }

  const refresh = () => (asking ??= fetchKeys().finally(() => (asking = undefined)))

  async function current(): Promise<Keys | undefined> {
    known ??= await stored()
    return known && known.expiresAt * 1000 > clock.now() ? known : undefined
  }

  return {
    async load() {
      if (!(await current())) await refresh()
    },
    async signed(attestation) {
      // Those that are on the way already are no older than what asking again would bring.
      const held = (await current()) ?? (await asking)
      if (held && (await fits(attestation, held))) return true
      const keys = await refresh()
      return keys !== undefined && fits(attestation, keys)
    },
  }
}

async function fits({ signed, signature }: Attestation, { publicKey, keys }: Keys) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  for (const jwk of keys ?? [publicKey]) {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    if (await crypto.subtle.verify(algorithm, key, signature, signed)) return true
  }
  return false
}
