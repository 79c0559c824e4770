import { limits } from '@gatefold/protocol'
import { addressOf, limit, readHeader, type HttpContext } from '../../http/access.ts'
import { readBytes } from '../../http/input.ts'
import { changeOrder, releaseEvent, useEvent } from '../../storage/onramp.ts'
import { stored } from '../../storage/stored.ts'
import { json, refuse } from '../requests.ts'
import type { OnrampContext } from './createOnramp.ts'
import { ProviderError, WebhookError, type WebhookEvent } from './OnrampProvider.ts'
import { readOrder, updateFromProvider } from './order.ts'

/** Maximum size of a webhook, in bytes. */
const maxBodyBytes = 64 * 1024

/**
 * `POST /v1/onramp/webhooks/{provider}`: a provider's message that an order
 * changed. The message only makes the server query the provider, so everything
 * that is stored comes from the provider's API. Each message takes effect once.
 *
 * @see docs/threats.md#forged-payment
 */
export function postWebhook(context: OnrampContext) {
  const { now, onramp, storage } = context
  const { db } = storage
  return async (c: HttpContext): Promise<Response> => {
    const limited = limit(context, 'address', addressOf(context, c), 1)
    if (limited) return limited
    const provider = onramp.providers.get(c.req.param('provider') ?? '')
    if (!provider?.readWebhook)
      return refuse(404, { field: 'provider', description: 'this provider sends no webhooks here' })
    const body = await readBytes(c, maxBodyBytes)
    if (!body) return refuse(413, { field: 'body', description: 'the body is too large' })
    let event: WebhookEvent
    try {
      event = provider.readWebhook({ header: (name) => readHeader(c, name), body, now: now() })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      onramp.log.warn({ provider: provider.id, reason: error.message }, 'a webhook was refused')
      return refuse(401, { field: 'signature', description: error.message })
    }
    const order = event.orderId && (await readOrder(context, event.orderId))
    if (!order || order.provider !== provider.id) return json({})

    const mark = `${provider.id}:${event.id}`
    // Longer than the time in which a webhook is accepted.
    const isNew = await stored(useEvent(db, mark, now() + 3 * limits.onrampWebhookWindowMs))
    if (!isNew) return json({})
    try {
      const { reference } = event
      const known =
        reference === undefined
          ? order
          : await stored(
              changeOrder(
                db,
                order.id,
                { status: ['created', 'pending', 'expired'] },
                { reference },
                now(),
              ),
            )
      if (known) await updateFromProvider(context, provider, known)
      return json({})
    } catch (error) {
      await stored(releaseEvent(db, mark))
      if (!(error instanceof ProviderError)) throw error
      onramp.log.warn({ err: error }, 'an on-ramp provider did not report a status')
      return refuse(
        503,
        { field: 'provider', description: `${provider.name} did not respond` },
        { 'retry-after': '30' },
      )
    }
  }
}
