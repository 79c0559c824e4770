/**
 * The constants of the specification's section 9 and of the wire, with their units. `docs/limits.md`
 * lists them; a check compares both.
 */

/** Token and native balance cache. @see §9.1.2 */
export const balanceCacheMs = 30_000
/** ENS and identity cache. @see §9.1.3 */
export const identityCacheMs = 5 * 60_000
/** Pause after a failed token balance fetch. @see §9.1.3 */
export const balanceRetryDelayMs = 30_000

/** Wallets remembered as recently used. @see §9.2 */
export const recentWallets = 2
/** Wallets per page of the directory. @see §9.2 */
export const walletsPageSize = 40
/** Recommended wallets per request. @see §9.2 */
export const recommendedWallets = 4
/** Entries per wallet search. @see §9.2 */
export const walletSearchEntries = 100
/** Images prefetched per page. @see §9.2 */
export const imagePrefetchCount = 20
/** @see §9.2 */
export const imagePreloadTimeoutMs = 2_000

/** Digits after the point of a shown balance; always rounded down. @see §9.3.3 */
export const balanceDecimals = 3
/** Digits after the point of money. @see §9.3.3 */
export const moneyDecimals = 2

/** Error reports in one window. @see §9.4.1 */
export const errorReportCap = 5
export const errorReportWindowMs = 60_000
/** @see §9.4.2 */
export const httpTimeoutMs = 10_000
/** JSON-RPC requests in one batch. @see §9.4.2 */
export const rpcBatchSize = 1_000
/** @see §9.4.2 */
export const pollingIntervalMs = 4_000

/** Shortest account name. @see §9.6.1 */
export const nameMinLength = 4
/** @see §9.6.2, §4.3.3 */
export const shakeMs = 500
/** Debounce of messages about network changes and RPC errors. @see §9.6.3 */
export const messageDelayMs = 300
/** Timeout of a permission revoke. @see §9.6.4 */
export const revokeTimeoutMs = 100
/** How long an injected provider may take to appear. @see §9.6.5 */
export const asyncInjectMs = 1_000

/** @see §9.7.2 */
export const defaultSocials = [
  'google',
  'x',
  'farcaster',
  'discord',
  'apple',
  'github',
  'facebook',
] as const
/** @see §9.7.3 */
export const defaultWalletFeatures = ['onramp', 'swaps', 'receive', 'send'] as const

/** @see §9.8.2 */
export const defaultChainId = 1

/** @see §9.9.1 */
export const connectorTypeOrder = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
] as const

/** @see §9.11.1 */
export const modalWidthPx = 360
export const fontSizeMasterPx = 10
export const borderRadiusMasterPx = 4
export const zIndex = 999
export const colorMixStrengthPercent = 0
/** The official SDK version whose contract the kit implements. @see §9.11.2 */
export const sdkVersion = '1.7.15'
/** @see §9.11.3 */
export const persistedStateVersion = 0

/** @see §9.12.1 */
export const sendConfirmationTimeoutMs = 25_000

/** How long a toast is shown, except a loading toast. @see docs/views.md#shell */
export const toastMs = 2_500
/** Timeout after which the connecting view reports that the wallet did not answer. */
export const walletSilenceMs = 60_000
/** Debounce of the wallet search. */
export const searchDebounceMs = 200
/** Fewest characters of a wallet search. @see docs/views.md#allwallets */
export const searchMinLength = 2

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
/** Most bytes in the mailbox of a topic. @see docs/threats.md#relay-flood */
export const relayTopicBytes = 8 * 1024 * 1024
/** Sustained publishes per second of one client; more are delayed. @see docs/threats.md#relay-flood */
export const relayPublishRate = 20
/** Burst of publishes of one client. @see docs/threats.md#relay-flood */
export const relayPublishBurst = 60
/** Buffered bytes of a socket above which the relay stops pushing to it. @see docs/threats.md#slow-reader */
export const relayBufferBytes = 4 * 1024 * 1024
/** How long a socket may stay above that before it is closed. @see docs/threats.md#slow-reader */
export const relaySlowMs = 30_000
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

/** How long the URI of a pairing is shown. @see §4.7, §9.1.1 */
export const pairingLifetimeMs = 4 * 60_000
/** A pairing that expires within this time counts as expired. @see §4.7, §9.1.1 */
export const pairingExpiryMarginMs = 10_000
/** Lifetime of a session proposal. @see docs/contracts/relay.md#client-methods */
export const proposalLifetimeMs = 5 * 60_000

/** Lifetime of an attestation. @see docs/threats.md#forged-attestation */
export const verifyAttestationSeconds = 5 * 60
/** Lifetime of the enclave's token. @see docs/contracts/verify.md#enclave */
export const verifyCsrfSeconds = 60 * 60
/** How long a client may cache the verify service's public key. */
export const verifyKeySeconds = 60 * 60
/** Labels of a host that the scam list is searched for; a name has at most 127. */
export const verifyMaxLabels = 20
/** Timeout of a page's attestation; official clients wait 5 s. */
export const attestTimeoutMs = 3_000
/** Pause after a failure of the verify service. */
export const attestPauseMs = 60_000
/** Timeout of each request of a wallet to the verify service. */
export const verifyLookupTimeoutMs = 1_500
/** Tolerated skew of a wallet's clock. @see docs/threats.md#wrong-clocks */
export const verifyClockSkewSeconds = 5 * 60
