import { GatewayError } from '../kit/errors.ts'
import { createReportLimiter } from './errorReports.ts'
import { essentialEvents } from './events.ts'
import type { KitEvent } from './events.ts'
import type { Kit } from '../kit/Kit.ts'

const limiters = new WeakMap<Kit, () => boolean>()
const enabled = new WeakMap<Kit, Promise<boolean>>()

/**
 * Sends an event to the server if analytics are enabled. Never rejects.
 *
 * @see spec §7.6, §7.7, §8.2.1, §9.12.2
 */
export async function sendEvent(kit: Kit, event: KitEvent): Promise<void> {
  const gateway = await kit.gateway()
  if (!gateway) return
  if (!enabled.has(kit))
    enabled.set(
      kit,
      kit.options.features?.analytics === false
        ? Promise.resolve(false)
        : gateway.analyticsEnabled().catch(() => false),
    )
  if (!essentialEvents.has(event.event) && !(await enabled.get(kit))) return
  try {
    await gateway.send({ type: 'track', ...event })
  } catch (error) {
    if (error instanceof GatewayError && error.status === 403)
      kit.alert('INVALID_APP_CONFIGURATION')
  }
}

/**
 * Reports an error to the operator, at most five per minute. Must not contain visitor data.
 *
 * @see spec §8.6.2, §9.4.1
 */
export async function reportError(
  kit: Kit,
  parameters: { kind: 'API_ERROR' | 'DATA_PARSING_ERROR' | 'INTERNAL_SDK_ERROR'; error: Error },
): Promise<void> {
  let limiter = limiters.get(kit)
  if (!limiter) limiters.set(kit, (limiter = createReportLimiter(Date.now)))
  if (!limiter()) return
  const gateway = await kit.gateway()
  await gateway
    ?.send({
      type: 'error',
      event: parameters.kind,
      properties: {
        errorType: parameters.error.name,
        errorMessage: parameters.error.message,
        uncaught: false,
        stackTrace: parameters.error.stack ?? '',
      },
    })
    .catch(() => {})
}
