import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { VerifyContext } from '../Session.ts'
import type { Clock } from '../SignClient.ts'
import type { Verify } from './Verify.ts'
import { createFetchJson } from './createFetchJson.ts'
import { createPublicKeys } from './createPublicKeys.ts'
import { readAttestation } from './readAttestation.ts'
import { unknownContext } from './unknownContext.ts'

const Lookup = v.object({
  origin: v.string(),
  isScam: v.nullish(v.boolean()),
  isVerified: v.optional(v.boolean(), true),
})

/** What is known of a sender. */
type Known = v.InferOutput<typeof Lookup>

/** The wallet's side of `Verify`. */
export type PeerCheck = {
  /** Rejects where the page may not use WebCrypto. */
  check: Verify['check']
  prepare(): void
}

/**
 * The wallet's side of the verify service.
 *
 * @param options.verifyUrl - without a slash at its end
 * @param options.closed - aborts what is under way
 */
export function createPeerCheck(options: {
  verifyUrl: string
  storage: KeyValueStore
  clock: Clock
  closed: AbortSignal
}): PeerCheck {
  const { verifyUrl, clock } = options
  const ask = createFetchJson(options)
  const keys = createPublicKeys({ ...options, ask })

  /** What an attestation says, once all of it holds. */
  async function believe(token: string, encryptedId: string): Promise<Known | undefined> {
    const attestation = readAttestation(token)
    if (!attestation) return undefined
    const { id, exp } = attestation.claims
    const isLate = (exp + limits.verifyClockSkewSeconds) * 1000 <= clock.now()
    // Before anybody is asked: what is for another message costs nothing.
    if (id !== encryptedId || isLate) return undefined
    return (await keys.signed(attestation)) ? attestation.claims : undefined
  }

  /** What an old app left with the service. */
  async function lookUp(decryptedId: string): Promise<Known | undefined> {
    const base = verifyUrl.replace(/\/v3$/, '')
    const answer = await ask(`${base}/attestation/${decryptedId}?v2Supported=true`)
    const found = v.safeParse(Lookup, answer)
    return found.success ? found.output : undefined
  }

  return {
    async check({ attestation, encryptedId, decryptedId, peerUrl }) {
      const known = await (attestation === undefined
        ? lookUp(decryptedId)
        : believe(attestation, encryptedId))
      return toContext(verifyUrl, peerUrl, known)
    },
    // What fails now is tried again when it is needed.
    prepare: () => void keys.load().catch(() => {}),
  }
}

function toContext(verifyUrl: string, peerUrl: string, known: Known | undefined): VerifyContext {
  const { origin, isScam, isVerified = false } = known ?? {}
  const scam = typeof isScam === 'boolean' ? { isScam } : {}
  if (origin === undefined || !isVerified) {
    const { verified } = unknownContext(peerUrl, verifyUrl)
    return { verified: { ...verified, ...scam } }
  }
  const validation = originOf(peerUrl) === origin ? 'VALID' : 'INVALID'
  return { verified: { verifyUrl, validation, origin, ...scam } }
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin
  } catch {
    // What is no URL is no page's.
    return undefined
  }
}
