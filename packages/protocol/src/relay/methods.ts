import * as v from 'valibot'
import { relayAttestationBytes, relayBatchSize, relayMessageBytes } from '../limits/relay.ts'
import { Topic, type RelayMessage } from './messages.ts'

/** A string that every database can store: no NUL, no lone surrogates. */
const text = v.pipe(
  v.string('must be a string'),
  v.check((value) => !value.includes('\0') && value.isWellFormed(), 'must be well-formed text'),
)

/** The validation issue for a message that is too large. The relay maps it to a separate error tag. */
export const tooLarge = `must be at most ${relayMessageBytes} bytes long`

const message = v.pipe(
  text,
  v.check((value) => fits(value, relayMessageBytes), tooLarge),
)

/** Whether a string has at most `bytes` bytes in UTF-8. One UTF-16 code unit takes at most three bytes. */
function fits(value: string, bytes: number): boolean {
  return value.length <= bytes / 3 || new TextEncoder().encode(value).length <= bytes
}

/** The validation issue for an empty list. The relay maps it to a separate error tag. */
export const tooFew = 'must not be empty'
/** The validation issue for a list that is too long. The relay maps it to a separate error tag. */
export const tooMany = `must have at most ${relayBatchSize} entries`

const list = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(
    v.array(item, 'must be an array'),
    v.minLength(1, tooFew),
    v.maxLength(relayBatchSize, tooMany),
  )

const seconds = 'must be a number of seconds'
const ttl = v.pipe(v.number(seconds), v.finite(seconds))

const maxTag = 2 ** 32 - 1
const uint32 = `must be an integer from 0 to ${maxTag}`
const tag = v.pipe(
  v.number(uint32),
  v.integer(uint32),
  v.minValue(0, uint32),
  v.maxValue(maxTag, uint32),
)
/** The validation issue for an attestation that is too large. The relay maps it to a separate error tag. */
export const attestationTooLarge = `must be at most ${relayAttestationBytes} bytes long`

const attestation = v.optional(
  v.nullable(
    v.pipe(
      text,
      v.check((value) => fits(value, relayAttestationBytes), attestationTooLarge),
    ),
  ),
)

/**
 * Params of one publish. Drops analytics fields, at the top level or in `tvf`, because clients can forge
 * them.
 *
 * @see docs/contracts/relay.md#methods and #publish-metadata
 */
export const Publish = v.object({
  topic: Topic,
  message,
  /** Seconds. A relay rejects 0 and negative values, and clamps all others to its limits. */
  ttl,
  tag,
  prompt: v.optional(v.nullable(v.boolean())),
  attestation,
})

export type Publish = v.InferOutput<typeof Publish>

const topic = v.object({ topic: Topic })
const topics = v.object({ topics: list(Topic) })
/** A relay uses the topic and ignores the id. */
const subscription = v.object({ topic: Topic, id: v.optional(v.unknown()) })
const token = v.pipe(v.string('must be a token'), v.nonEmpty('must be a token'))

/** The SHA-256 hash of a message in hexadecimal. Other ids match no message. */
const MessageId = v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'))

const Receipt = v.pipe(
  v.union(
    [
      v.object({ topic: Topic, messageId: MessageId }),
      v.object({ topic: Topic, message_id: MessageId }),
    ],
    'must be a topic and a messageId',
  ),
  v.transform((receipt) => ({
    topic: receipt.topic,
    messageId: 'messageId' in receipt ? receipt.messageId : receipt.message_id,
  })),
)

/**
 * Every method a client may call, with the schema of its params.
 *
 * @see docs/contracts/relay.md#methods and #session-methods
 */
export const relayMethods = {
  irn_publish: Publish,
  irn_batchPublish: v.object({ messages: list(Publish) }),
  irn_subscribe: topic,
  irn_subscribeBlocking: topic,
  irn_batchSubscribe: topics,
  // Accepts invalid topics: each gets an error at its position in the result.
  irn_batchSubscribeBlocking: v.object({ topics: list(v.unknown()) }),
  irn_unsubscribe: subscription,
  irn_batchUnsubscribe: v.object({ subscriptions: list(subscription) }),
  irn_fetchMessages: topic,
  irn_batchFetchMessages: topics,
  irn_batchReceive: v.object({ receipts: list(Receipt) }),
  irn_watchRegister: v.object({ registerAuth: token }),
  irn_watchUnregister: v.object({ unregisterAuth: token }),
  wc_createTopic: topic,
  wc_proposeSession: v.object({
    pairingTopic: Topic,
    sessionProposal: message,
    ttl: v.nullish(ttl),
    attestation,
  }),
  wc_approveSession: v.object({
    pairingTopic: Topic,
    sessionTopic: Topic,
    sessionProposalResponse: message,
    sessionSettlementRequest: message,
    ttl: v.nullish(ttl),
  }),
} as const

export type RelayMethod = keyof typeof relayMethods

/** A method's params before parsing, as a client sends them. */
export type RelayParams<Method extends RelayMethod> = v.InferInput<(typeof relayMethods)[Method]>

/** A method's params after parsing. */
export type RelayReadParams<Method extends RelayMethod> = v.InferOutput<
  (typeof relayMethods)[Method]
>

/** The result of each method. */
export type RelayResults = {
  irn_publish: true
  irn_batchPublish: true
  irn_subscribe: string
  irn_subscribeBlocking: string
  irn_batchSubscribe: string[]
  irn_batchSubscribeBlocking: ({ id: string } | { error: unknown })[]
  irn_unsubscribe: true
  irn_batchUnsubscribe: true
  irn_fetchMessages: { messages: RelayMessage[]; hasMore: boolean }
  irn_batchFetchMessages: { messages: RelayMessage[]; hasMore: boolean }
  irn_batchReceive: true
  irn_watchRegister: { relayId: string }
  irn_watchUnregister: true
  wc_createTopic: true
  wc_proposeSession: true
  wc_approveSession: true
}

/** Finds a method by its name. `iridium_` and `waku_` are older aliases of the prefix `irn_`. */
export function toRelayMethod(name: string): RelayMethod | undefined {
  const method = name.replace(/^(iridium|waku)_/, 'irn_')
  return Object.hasOwn(relayMethods, method) ? (method as RelayMethod) : undefined
}
