import { AnalyticsEvent, maxEventBatchBytes, maxEventBytes } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import type { EventsTable } from '../storage/Database.ts'
import { saveEvents } from '../storage/events.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import { addressOf, charge, enter, limit, type HttpContext } from '../http/access.ts'
import { withCredentials } from '../http/cors.ts'
import { json, refuse } from './answers.ts'
import type { GatewayContext } from './context.ts'
import { check, readJson } from '../http/input.ts'
import { removePersonal, withoutPersonal } from './withoutPersonal.ts'

const Batch = v.pipe(
  v.array(AnalyticsEvent, 'must be a list of events'),
  v.maxLength(500, 'must contain at most 500 events'),
)

/** Bytes that a stored event takes in addition to its text, such as its place in the indexes. */
const rowBytes = 256

/** `POST /e`: one event. @see docs/contracts/gateway.md#analytics; spec §7.7.1, §8.2.1 */
export function postEvent(context: GatewayContext) {
  return receive(context, AnalyticsEvent, maxEventBytes)
}

/** `POST /batch`: a list of events. @see docs/contracts/gateway.md#analytics */
export function postEventBatch(context: GatewayContext) {
  return receive(context, Batch, maxEventBatchBytes)
}

function receive(
  context: GatewayContext,
  schema: v.GenericSchema<unknown, AnalyticsEvent | AnalyticsEvent[]>,
  maxBytes: number,
) {
  return async (c: HttpContext) => withCredentials(await answer(c), c.req.header('origin'))

  async function answer(c: HttpContext): Promise<Response> {
    // With a 403, the official client shows "Invalid App Configuration".
    const project = await enter(context, c, { refusedOrigin: 403 })
    if (project instanceof Response) return project
    const body = await readJson(c, maxBytes, context)
    if ('refusal' in body) return body.refusal
    // `enter` took one token. The others are taken before the validation, so that an invalid batch costs as much.
    const items = Array.isArray(body.value) ? body.value.length : 1
    const refusal = charge(context, c, project, Math.max(0, items - 1))
    if (refusal) return refusal
    const { value, reasons } = check(schema, body.value)
    if (reasons) return refuse(422, reasons)
    const events = [value].flat()
    const tooLong = events.findIndex(
      (event) => Buffer.byteLength(JSON.stringify(event)) > maxEventBytes,
    )
    if (tooLong >= 0)
      return refuse(413, {
        field: String(tooLong),
        description: `an event is larger than ${maxEventBytes} bytes`,
      })
    if (project.analytics && context.config.analytics) {
      const bytes = body.bytes + events.length * rowBytes
      const overBudget =
        limit(context, 'addressEvents', addressOf(context, c), bytes) ??
        limit(context, 'projectEvents', project.id, bytes)
      if (overBudget) return overBudget
      const { st = '', sv = '' } = c.req.query()
      const sdk = {
        sdk_type: removePersonal(st).slice(0, 50),
        sdk_version: removePersonal(sv).slice(0, 100),
      }
      const received = { project_id: project.id, ...sdk, received_at: context.now() }
      const count = await saveEvents(
        context.storage.db,
        events.map((event) => ({ ...received, ...toRow(event) })),
      ).catch((error: unknown) => {
        throw new StorageUnavailableError(error)
      })
      context.eventsStored.inc(count)
    }
    return json({}, 202)
  }
}

function toRow(event: AnalyticsEvent) {
  const { type, event: name, ...properties } = event.props
  return {
    event_id: removePersonal(event.eventId),
    kind: removePersonal(type ?? ''),
    name: removePersonal(name),
    domain: removePersonal(event.domain ?? ''),
    page: removePersonal(withoutQuery(event.url ?? '')).slice(0, 500),
    properties: JSON.stringify(withoutPersonal(properties)),
    occurred_at: Math.trunc(
      typeof event.timestamp === 'number' ? event.timestamp : Date.parse(event.timestamp),
    ),
  } satisfies Partial<EventsTable>
}

/**
 * Removes the query and fragment of an HTTP URL, which may contain codes, tokens or email addresses. Returns an
 * empty string for any other text.
 */
function withoutQuery(url: string): string {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null
  return parsed ? `${parsed.origin}${parsed.pathname}` : ''
}
