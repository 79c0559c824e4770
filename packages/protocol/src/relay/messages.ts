import * as v from 'valibot'

/** 32 bytes in lower-case hex. Every client that knows a topic may publish and subscribe to it. */
export const Topic = v.pipe(
  v.string('must be a string'),
  v.regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'),
)

/** A message in a push or in a fetch result. */
export const RelayMessage = v.object({
  topic: Topic,
  message: v.string(),
  /** Unix time in ms. */
  publishedAt: v.number(),
  tag: v.number(),
  attestation: v.optional(v.nullable(v.string())),
})

export type RelayMessage = v.InferOutput<typeof RelayMessage>

/** A string or number, which the response repeats. */
export const RelayRequestId = v.union([v.string(), v.number()])

/** A request that pushes a message to a client. The client responds with the result `true`. */
export const RelayPush = v.object({
  id: RelayRequestId,
  jsonrpc: v.literal('2.0'),
  method: v.picklist(['irn_subscription', 'iridium_subscription', 'waku_subscription']),
  params: v.object({ id: v.string(), data: RelayMessage }),
})

export type RelayPush = v.InferOutput<typeof RelayPush>

/** A response from a relay. */
export const RelayAnswer = v.union([
  v.object({
    id: RelayRequestId,
    jsonrpc: v.literal('2.0'),
    error: v.object({ code: v.number(), message: v.string(), data: v.optional(v.string()) }),
  }),
  v.object({ id: RelayRequestId, jsonrpc: v.literal('2.0'), result: v.unknown() }),
])

export type RelayAnswer = v.InferOutput<typeof RelayAnswer>
