import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import type { KeyValueStore } from '../KeyValueStore.ts'
import type { VerifyContext } from '../Session.ts'
import type { Clock } from '../SignClient.ts'
import type { Verify } from '../Verify.ts'
import { attestInFrame } from './attestInFrame.ts'
import { createAsk } from './createAsk.ts'
import { createPublicKeys } from './createPublicKeys.ts'
import { limitTime } from './limitTime.ts'
import { readAttestation } from './readAttestation.ts'

const Lookup = v.object({
  origin: v.string(),
  isScam: v.nullish(v.boolean()),
  isVerified: v.optional(v.boolean(), true),
})

/** What is known of a sender. */
type Known = v.InferOutput<typeof Lookup>

/**
 * Both sides of the verify service: an app asks for attestations, a wallet checks them. An attestation
 * is a hint, no proof: what is no browser can send what it likes.
 *
 * @param options.verifyUrl - base of the service, such as `https://verify.example/v3`
 * @see contracts/relay.md 6; spec §3.19.5; docs/verify.md
 */
export function createVerify(options: {
  verifyUrl: string
  projectId?: string | undefined
  storage: KeyValueStore
  clock: Clock
}): Verify {
  const { projectId, storage, clock } = options
  const verifyUrl = options.verifyUrl.replace(/\/+$/, '')
  const closing = new AbortController()
  const ask = createAsk({ clock, closed: closing.signal })
  const keys = createPublicKeys({ verifyUrl, storage, clock, ask })
  const attesting = new Map<string, Promise<string | undefined>>()
  let restsUntil = 0

  async function attest(encryptedId: string, decryptedId: string) {
    const query = new URLSearchParams({
      ...(projectId !== undefined && { projectId }),
      origin: window.location.origin,
      id: encryptedId,
      decryptedId,
    })
    const rest = () => (restsUntil = clock.now() + limits.attestPauseMs)
    const ms = limits.attestTimeoutMs
    const { signal, stop } = limitTime({ clock, closed: closing.signal, ms, onLate: rest })
    try {
      return await attestInFrame({
        url: `${verifyUrl}/attestation?${query}`,
        id: encryptedId,
        signal,
      })
    } catch {
      // No such URL, or a page that lets no frame be made: as if the service did not answer.
      rest()
      return undefined
    } finally {
      stop()
    }
  }

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
    async attest({ encryptedId, decryptedId }) {
      if (typeof document === 'undefined' || closing.signal.aborted) return undefined
      // Such a page cannot be named, so it cannot be attested.
      if (window.location.origin === 'null' || clock.now() < restsUntil) return undefined
      let running = attesting.get(encryptedId)
      if (!running) {
        running = attest(encryptedId, decryptedId).finally(() => attesting.delete(encryptedId))
        attesting.set(encryptedId, running)
      }
      return running
    },
    async check({ attestation, encryptedId, decryptedId, peerUrl }) {
      try {
        const known = await (attestation === undefined
          ? lookUp(decryptedId)
          : believe(attestation, encryptedId))
        return toContext(verifyUrl, peerUrl, known)
      } catch {
        // A page that may not use WebCrypto can check nothing.
        return toContext(verifyUrl, peerUrl, undefined)
      }
    },
    close: () => closing.abort(),
  }
}

function toContext(verifyUrl: string, peerUrl: string, known: Known | undefined): VerifyContext {
  const { origin, isScam, isVerified = false } = known ?? {}
  const scam = typeof isScam === 'boolean' ? { isScam } : {}
  if (origin === undefined || !isVerified)
    return { verified: { verifyUrl, validation: 'UNKNOWN', origin: peerUrl, ...scam } }
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
