import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import {
  HandoverBody,
  HandoverPutBody,
  HandoverTakeBody,
  HandoverTokenBody,
  type HandoverOpenResponse,
  type HandoverResponse,
  type HandoverTakeResponse,
} from '@gatefold/protocol/frame'
import { FrameError } from '../FrameError.ts'
import { hashToken, open, withNonce } from '../requests.ts'
import type { FrameService } from '../service.ts'
import { frameTiming } from '../timing.ts'
import { toMethods } from '../wallet.ts'

// Browsers partition the storage of an embedded frame from that of a window of
// the same origin, and may refuse passkeys in the frame. A page of the frame's
// origin therefore unwraps the recovery key and passes it on, encrypted for the
// frame's device.

/**
 * Maximum number of requests that wait for a page. Further requests are
 * answered immediately.
 */
const maxWaiting = 1_000

/** `POST /api/handover/start` @see docs/custody.md#pages */
export function postHandoverStart(service: FrameService) {
  const { context, store } = service
  return withNonce(
    service,
    HandoverBody,
    async ({ body, deviceId, session, user }): Promise<HandoverResponse> => {
      const token = randomBytes(32).toString('base64url')
      const id = randomBytes(16).toString('base64url')
      await store.replaceHandover({
        id,
        token_hash: hashToken(token),
        user_id: user.id,
        device_id: deviceId,
        page_device_id: null,
        public_key: body.publicKey,
        origin: session.origin,
        device_name: (await store.findDevice(user.id, deviceId))?.name ?? 'Browser',
        sealed: null,
        expires_at: context.now() + limits.handoverSeconds * 1000,
      })
      return { handoverId: id, token, seconds: limits.handoverSeconds }
    },
  )
}

/** `POST /api/handover/open` */
export function postHandoverOpen(service: FrameService) {
  const { context, store } = service
  return open(
    service,
    HandoverTokenBody,
    async ({ body, deviceId }): Promise<HandoverOpenResponse> => {
      const handover = await store.openHandover({
        tokenHash: hashToken(body.token),
        pageDeviceId: deviceId,
        now: context.now(),
      })
      const recovery = handover && (await store.findRecovery(handover.user_id))
      if (!recovery) throw missingHandover()
      const { recoveryId, version, wraps, isAutomatic } = toMethods(recovery)
      return {
        recoveryId,
        version,
        wraps,
        isAutomatic,
        userId: handover.user_id,
        deviceName: handover.device_name,
        origin: handover.origin,
        publicKey: handover.public_key,
      }
    },
  )
}

/** `POST /api/handover/put` */
export function postHandoverPut(service: FrameService) {
  const { context, store } = service
  return open(service, HandoverPutBody, async ({ body, deviceId }) => {
    const isStored = await store.putHandover({
      tokenHash: hashToken(body.token),
      pageDeviceId: deviceId,
      sealed: body.sealed,
      now: context.now(),
    })
    if (!isStored) throw missingHandover()
  })
}

/** `POST /api/handover/take` */
export function postHandoverTake(service: FrameService) {
  const { context, stopping, store } = service
  const waiting = new Set<string>()
  const timing = { ...frameTiming, ...context.frameTiming }
  return withNonce(
    service,
    HandoverTakeBody,
    async ({ c, body, deviceId, user }): Promise<HandoverTakeResponse> => {
      const deadline = performance.now() + timing.deviceWaitMs
      const signal = AbortSignal.any([stopping, c.req.raw.signal])
      for (;;) {
        const handover = await store.findHandover({
          id: body.handoverId,
          userId: user.id,
          deviceId,
          now: context.now(),
        })
        if (!handover) throw missingHandover()
        if (handover.sealed !== null) {
          await store.deleteHandover(handover.id)
          return { sealed: handover.sealed }
        }
        if (performance.now() >= deadline || signal.aborted) return { sealed: null }
        // Only one request per handover waits, because each polls the database.
        if (waiting.has(handover.id) || waiting.size >= maxWaiting) return { sealed: null }
        waiting.add(handover.id)
        await wait(timing.devicePollMs, undefined, { signal }).catch(() => {})
        waiting.delete(handover.id)
      }
    },
  )
}

function missingHandover() {
  return new FrameError(404, {
    field: 'token',
    description: 'This link has already been used, or has expired. Start again.',
    code: 'no_handover',
  })
}
