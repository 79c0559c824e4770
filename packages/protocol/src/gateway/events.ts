import * as v from 'valibot'

/** Maximum size of an analytics event, in bytes of JSON. */
export const maxEventBytes = 8 * 1024
/** Maximum size of a batch of events, in bytes. Browsers have the same limit for `sendBeacon`. */
export const maxEventBatchBytes = 64 * 1024

const text = (limit: number) =>
  v.pipe(
    v.string('must be a string'),
    v.maxLength(limit, `must be at most ${limit} characters long`),
  )

/** The largest Unix time in ms that a `Date` can have. */
const maxTime = 8.64e15

const time = 'must be milliseconds since 1970 or an ISO 8601 time'

/**
 * A usage or error event from any client.
 * `timestamp` is Unix time in ms in usage events, and an ISO 8601 string in error events.
 *
 * @see docs/contracts/gateway.md#analytics; spec §7.7.1
 */
export const AnalyticsEvent = v.object(
  {
    eventId: v.pipe(text(100), v.nonEmpty('must not be empty')),
    url: v.optional(text(4_096)),
    domain: v.optional(text(253)),
    timestamp: v.union(
      [
        v.pipe(v.number(), v.minValue(-maxTime, time), v.maxValue(maxTime, time)),
        v.pipe(
          v.string(),
          v.check((text) => !Number.isNaN(Date.parse(text)), time),
        ),
      ],
      time,
    ),
    props: v.looseObject(
      {
        type: v.optional(text(100)),
        event: v.pipe(text(100), v.nonEmpty('must not be empty')),
      },
      'must be an object with an event name',
    ),
  },
  'must be an object',
)

export type AnalyticsEvent = v.InferOutput<typeof AnalyticsEvent>
