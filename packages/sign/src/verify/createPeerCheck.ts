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
import { parseShape } from '../validation/parseShape.ts'

const Lookup = v.object({
  origin: v.string(),
  isScam: v.nullish(v.boolean()),
  isVerified: v.optional(v.boolean(), true),
})

/** What the service states about a sender. */
type SenderInfo = v.InferOutput<typeof Lookup>

/** The wallet's side of `Verify`. */
export type PeerCheck = {
  /** Rejects on pages without WebCrypto. */
  check: Verify['check']
  prefetch(): void
}

/**
 * @param options.verifyUrl - without a trailing slash
 * @param options.closed - aborts requests in flight
 */
export function createPeerCheck(options: {
  verifyUrl: string
  storage: KeyValueStore
  clock: Clock
  closed: AbortSignal
}): PeerCheck {
  const { verifyUrl, clock } = options
  const fetchJson = createFetchJson(options)
  const keys = createPublicKeys({ ...options, fetchJson })

  /** The claims of an attestation, if it is valid. */
  async function verifyAttestation(
    token: string,
    encryptedId: string,
  ): Promise<SenderInfo | undefined> {
    const attestation = readAttestation(token)
    if (!attestation) return undefined
    const { id, exp } = attestation.claims
    const isExpired = (exp + limits.verifyClockSkewSeconds) * 1000 <= clock.now()
    // Checked before the signature, because verifying it may need a request.
    if (id !== encryptedId || isExpired) return undefined
    return (await keys.verify(attestation)) ? attestation.claims : undefined
  }

  /** Looks up an attestation that an older app registered with the service. */
  async function lookUp(decryptedId: string): Promise<SenderInfo | undefined> {
    const base = verifyUrl.replace(/\/v3$/, '')
    const json = await fetchJson(`${base}/attestation/${decryptedId}?v2Supported=true`)
    const parsed = parseShape(Lookup, json)
    return parsed.success ? parsed.output : undefined
  }

  return {
    async check({ attestation, encryptedId, decryptedId, peerUrl }) {
      const info = await (attestation === undefined
        ? lookUp(decryptedId)
        : verifyAttestation(attestation, encryptedId))
      return toContext(verifyUrl, peerUrl, info)
    },
    // `check` retries after a failure.
    prefetch: () => void keys.load().catch(() => {}),
  }
}

function toContext(verifyUrl: string, peerUrl: string, info?: SenderInfo): VerifyContext {
  const { origin, isScam, isVerified = false } = info ?? {}
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
    return undefined
  }
}
