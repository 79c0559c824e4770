/** Longest TTL of a relay message; longer ones are clamped. @see docs/threats.md#relay-flood */
export const relayTtlMaxSeconds = 7 * 24 * 60 * 60
/** Shortest TTL of a relay message; shorter ones are clamped. @see docs/contracts/relay.md#limits */
export const relayTtlMinSeconds = 30
/** Largest relay message, in bytes of UTF-8. @see docs/threats.md#relay-flood */
export const relayMessageBytes = 1024 * 1024
/** Requests, topics or messages in one relay batch. @see docs/contracts/relay.md#limits */
export const relayBatchSize = 500
/** Most messages in the mailbox of a topic. @see docs/threats.md#relay-flood */
export const relayTopicMessages = 1_000
/** Most bytes of messages and attestations in the mailbox of a topic. @see docs/threats.md#relay-flood */
export const relayTopicBytes = 8 * 1024 * 1024
/** Largest attestation of a relay message, in bytes of UTF-8. @see docs/threats.md#relay-flood */
export const relayAttestationBytes = 4 * 1024
/**
 * Sustained topics and receipts per second in one client’s subscribes, unsubscribes, fetches and
 * acknowledgements by request; more are delayed. @see docs/threats.md#relay-flood
 */
export const relayTopicRate = 1_000
/** Burst of these topics and receipts of one client. @see docs/threats.md#relay-flood */
export const relayTopicBurst = 5_000
/** Sustained publishes per second of one client; more are delayed. @see docs/threats.md#relay-flood */
export const relayPublishRate = 20
/** Burst of publishes of one client. @see docs/threats.md#relay-flood */
export const relayPublishBurst = 60
/** Buffered bytes of a socket above which the relay stops pushing to it. @see docs/threats.md#slow-reader */
export const relayBufferBytes = 4 * 1024 * 1024
/**
 * How long a socket may stay above `relayBufferBytes` before it is closed. @see docs/threats.md#slow-reader
 */
export const relaySlowMs = 30_000
/**
 * Open sockets of one client id in a process; a further one replaces the oldest.
 * @see docs/threats.md#slow-reader
 */
export const relayClientSockets = 8
/** Ping interval; Node clients close a socket that is silent for 35 s. @see docs/contracts/relay.md#keep-alive */
export const relayPingMs = 25_000
/** Delay between the response to a publish and its delivery to official clients. @see docs/relay.md */
export const relayDeliveryDelayMs = 15
/** Time after which an unacknowledged push is redelivered. @see docs/contracts/relay.md#mailbox */
export const relayRepeatMs = 30_000
/** Most redeliveries of a push. @see docs/contracts/relay.md#mailbox */
export const relayRepeats = 3
/** Lifetime of a client’s token. @see docs/contracts/relay.md#token */
export const relayJwtSeconds = 24 * 60 * 60
/** Longest accepted lifetime of a client’s token. @see docs/threats.md#relay-token */
export const relayJwtMaxSeconds = 25 * 60 * 60
/** Tolerated skew of a client’s clock: 5 minutes, and the relay’s own. @see docs/threats.md#wrong-clocks */
export const relayClockSkewSeconds = 5 * 60 + 10
