import { limits } from '@gatefold/protocol'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Clock } from '../SignClient.ts'
import type { Verify } from './Verify.ts'
import { attestInFrame } from './attestInFrame.ts'
import { createTimeoutSignal } from './createTimeoutSignal.ts'
import type { PeerCheck } from './createPeerCheck.ts'
import { unknownContext } from './unknownContext.ts'

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
  const attesting = new Map<string, Promise<string | undefined>>()
  let checking: Promise<PeerCheck> | undefined
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
    const { signal, stop } = createTimeoutSignal({
      clock,
      closed: closing.signal,
      ms,
      onLate: rest,
    })
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

  async function loadCheck() {
    const { createPeerCheck } = await import('./createPeerCheck.ts')
    return createPeerCheck({ verifyUrl, storage, clock, closed: closing.signal })
  }

  const load = () => (checking ??= loadCheck())
  const forget = () => (checking = undefined)

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
    async check(parameters) {
      try {
        return await (await load()).check(parameters)
      } catch {
        // Offline, or a page that may not use WebCrypto: nothing can be checked. Next time perhaps.
        forget()
        return unknownContext(parameters.peerUrl, verifyUrl)
      }
    },
    prepare: () => void load().then((check) => check.prepare(), forget),
    close: () => closing.abort(),
  }
}
