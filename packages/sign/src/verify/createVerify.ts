import { limits } from '@gatefold/protocol'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Clock } from '../SignClient.ts'
import type { Verify } from './Verify.ts'
import { attestInFrame } from './attestInFrame.ts'
import { createTimeoutSignal } from './createTimeoutSignal.ts'
import type { PeerCheck } from './createPeerCheck.ts'
import { unknownContext } from './unknownContext.ts'

/**
 * Creates a client for the verify service: an app requests attestations, a wallet checks them. An attestation is
 * a hint, not a proof: a sender that is not a browser can claim any origin.
 *
 * @param options.verifyUrl - base URL, such as `https://verify.example/v3`
 * @see docs/contracts/verify.md; spec §3.19.5; docs/verify.md
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
  const attesting = new Map<string, Promise<string | undefined>>()
  let loading: Promise<PeerCheck> | undefined
  let pausedUntil = 0

  async function attest(encryptedId: string, decryptedId: string) {
    const query = new URLSearchParams({
      ...(projectId !== undefined && { projectId }),
      origin: window.location.origin,
      id: encryptedId,
      decryptedId,
    })
    const pause = () => (pausedUntil = clock.now() + limits.attestPauseMs)
    const ms = limits.attestTimeoutMs
    const { signal, clear } = createTimeoutSignal({
      clock,
      closed: closing.signal,
      ms,
      onTimeout: pause,
    })
    try {
      return await attestInFrame({
        url: `${verifyUrl}/attestation?${query}`,
        id: encryptedId,
        signal,
      })
    } catch {
      // Invalid URL, or a page that cannot create frames.
      pause()
      return undefined
    } finally {
      clear()
    }
  }

  async function loadCheck() {
    const { createPeerCheck } = await import('./createPeerCheck.ts')
    return createPeerCheck({ verifyUrl, storage, clock, closed: closing.signal })
  }

  const load = () => (loading ??= loadCheck())
  const reset = () => (loading = undefined)

  return {
    async attest({ encryptedId, decryptedId }) {
      if (typeof document === 'undefined' || closing.signal.aborted) return undefined
      // An opaque origin cannot be attested.
      if (window.location.origin === 'null' || clock.now() < pausedUntil) return undefined
      let running = attesting.get(encryptedId)
      if (!running) {
        running = attest(encryptedId, decryptedId).finally(() => attesting.delete(encryptedId))
        attesting.set(encryptedId, running)
      }
      return running
    },
    async check(parameters) {
      try {
        return await (await load()).check(parameters)
      } catch {
        // Offline, or a page without WebCrypto. The next check loads again.
        reset()
        return unknownContext(parameters.peerUrl, verifyUrl)
      }
    },
    prefetch: () => void load().then((check) => check.prefetch(), reset),
    close: () => closing.abort(),
  }
}
