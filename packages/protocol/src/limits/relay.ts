/** Maximum TTL of a relay message; longer TTLs are clamped. @see docs/threats.md#relay-flood */
export const relayTtlMaxSeconds = 7 * 24 * 60 * 60
/** Minimum TTL of a relay message; shorter positive TTLs are clamped, others are refused. @see docs/contracts/relay.md#limits */
export const relayTtlMinSeconds = 30
/** Maximum size of a relay message, in bytes of UTF-8. @see docs/threats.md#relay-flood */
export const relayMessageBytes = 1024 * 1024
/** Maximum number of requests, topics or messages in one batch. @see docs/contracts/relay.md#limits */
export const relayBatchSize = 500
/** Maximum number of messages in a topic’s mailbox. @see docs/threats.md#relay-flood */
export const relayTopicMessages = 1_000
/** Maximum bytes of messages and attestations in a topic’s mailbox. @see docs/threats.md#relay-flood */
export const relayTopicBytes = 8 * 1024 * 1024
/** Maximum size of a relay message’s attestation, in bytes of UTF-8. @see docs/threats.md#relay-flood */
export const relayAttestationBytes = 4 * 1024
/**
 * Sustained rate of one client’s requests to subscribe, unsubscribe, fetch and acknowledge, in topics and
 * receipts per second. Requests above it are delayed. @see docs/threats.md#relay-flood
 */
export const relayTopicRate = 1_000
/** Topics and receipts that one client may send in a burst. @see docs/threats.md#relay-flood */
export const relayTopicBurst = 5_000
/**
 * Sustained rate of one client’s publishes, per second. Publishes above it are delayed.
 * @see docs/threats.md#relay-flood
 */
export const relayPublishRate = 20
/** Publishes that one client may send in a burst. @see docs/threats.md#relay-flood */
export const relayPublishBurst = 60
/** Buffered bytes of a socket above which the relay stops pushing to it. @see docs/threats.md#slow-reader */
export const relayBufferBytes = 4 * 1024 * 1024
/**
 * How long a socket may stay above `relayBufferBytes` before it is closed. @see docs/threats.md#slow-reader
 */
export const relaySlowMs = 30_000
/**
 * Maximum open sockets of one client id in a process. One more socket replaces the oldest one.
 * @see docs/threats.md#slow-reader
 */
export const relayClientSockets = 8
/** Ping interval; Node clients close a socket that is silent for 35 s. @see docs/contracts/relay.md#keep-alive */
export const relayPingMs = 25_000
/**
 * Delay between the response to a publish and the delivery of its message to official clients.
 * @see docs/relay.md#guarantees
 */
export const relayDeliveryDelayMs = 15
/** Time after which an unacknowledged push is redelivered. @see docs/contracts/relay.md#mailbox */
export const relayRepeatMs = 30_000
/** Maximum number of redeliveries of a push. @see docs/contracts/relay.md#mailbox */
export const relayRepeats = 3
/** Lifetime of a client’s token. @see docs/contracts/relay.md#token */
export const relayJwtSeconds = 24 * 60 * 60
/** Maximum accepted lifetime of a client’s token. @see docs/threats.md#relay-token */
export const relayJwtMaxSeconds = 25 * 60 * 60
/** Tolerated clock skew: 5 min for the client’s clock plus 10 s for the relay’s. @see docs/threats.md#wrong-clocks */
export const relayClockSkewSeconds = 5 * 60 + 10
