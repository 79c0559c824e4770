import { GatewayError } from '../kit/requestErrors.ts'
import { createReportLimiter } from './errorReports.ts'
import { essentialEvents } from './events.ts'
import type { KitEvent } from './events.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { KitInstance } from '../kit/Kit.ts'

const limiters = new WeakMap<KitInstance, () => boolean>()
const enabled = new WeakMap<KitInstance, Promise<boolean>>()

/**
 * Sends an event to the gateway. If analytics are off, sends only {@link essentialEvents}. A failed
 * request is ignored; only the status 403 raises an alert.
 *
 * @see spec §7.6, §7.7, §8.2.1, §9.12.2
 */
export async function sendEvent(kit: KitInstance, event: KitEvent): Promise<void> {
  const gateway = await kit.gateway()
  if (!gateway) return
  if (!essentialEvents.has(event.event) && !(await isEnabled(kit, gateway))) return
  try {
    await gateway.send({ type: 'track', ...event })
  } catch (error) {
    if (error instanceof GatewayError && error.status === 403)
      kit.alert('INVALID_APP_CONFIGURATION')
  }
}

/**
 * Sends a report of a failed gateway request, at most five per minute. Does nothing if analytics are off
 * or the gateway did not respond.
 *
 * @see spec §8.6.2, §9.4.1
 */
export async function reportError(kit: KitInstance, error: unknown): Promise<void> {
  const event = kindOf(error)
  const gateway = event && (await kit.gateway())
  if (!gateway || !(await isEnabled(kit, gateway))) return
  let limiter = limiters.get(kit)
  if (!limiter) limiters.set(kit, (limiter = createReportLimiter(Date.now)))
  if (!limiter()) return
  const { name, message, stack = '' } = error as Error
  await gateway
    .send({
      type: 'error',
      event,
      properties: { errorType: name, errorMessage: message, uncaught: false, stackTrace: stack },
    })
    .catch(() => {})
}

function kindOf(error: unknown): 'API_ERROR' | 'DATA_PARSING_ERROR' | undefined {
  if (!(error instanceof GatewayError)) return undefined
  if (error.status !== undefined) return 'API_ERROR'
  return error.cause === undefined ? 'DATA_PARSING_ERROR' : undefined
}

/** Whether both the site and the gateway enable analytics. The gateway is queried at most once. */
function isEnabled(kit: KitInstance, gateway: GatewayClient): Promise<boolean> {
  let answer = enabled.get(kit)
  if (!answer)
    enabled.set(
      kit,
      (answer =
        kit.options.features?.analytics === false
          ? Promise.resolve(false)
          : gateway.analyticsEnabled().catch(() => false)),
    )
  return answer
}
