/**
 * Every business constant of the specification's point 9 that applies so far, with its unit.
 * One file, so that an operator can see all of them and a test can hold them to the ledger.
 */

/** Token and native balance cache. @see §9.1.2 */
export const balanceCacheMs = 30_000
/** ENS and identity cache. @see §9.1.3 */
export const identityCacheMs = 5 * 60_000
/** Pause after a failed token balance fetch. @see §9.1.3 */
export const balanceRetryDelayMs = 30_000

/** Wallets remembered as recently used. @see §9.2 */
export const recentWallets = 2
/** Wallets a page of the directory holds. @see §9.2 */
export const walletsPageSize = 40
/** Recommended and featured wallets asked for. @see §9.2 */
export const recommendedWallets = 4
/** Entries a wallet search asks for. @see §9.2 */
export const walletSearchEntries = 100
/** Images of a page that are fetched ahead. @see §9.2 */
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
/** A network change or RPC error is told after this pause. @see §9.6.3 */
export const messageDelayMs = 300
/** A wallet that does not answer a permission revoke is not waited for longer. @see §9.6.4 */
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
/** The official SDK version whose contract the kit speaks. @see §9.11.2 */
export const sdkVersion = '1.7.15'
/** @see §9.11.3 */
export const persistedStateVersion = 0

/** @see §9.12.1 */
export const sendConfirmationTimeoutMs = 25_000

/** A toast stays for this long unless it is a loading one. @see views.md 1.1 */
export const toastMs = 2_500
/** After this silence the wallet is said not to have answered. @see design, “Connecting” */
export const walletSilenceMs = 60_000
/** Wallet search waits for this pause in typing. */
export const searchDebounceMs = 200
/** Characters from which a wallet search is sent. @see views.md 1.2 */
export const searchMinLength = 2

/** Longest life of a relay message; a longer one is clamped. @see threat model, “relay: flood” */
export const relayTtlMaxSeconds = 7 * 24 * 60 * 60
/** Shortest life of a relay message; a shorter one is clamped. @see contract of the relay, 2.5 */
export const relayTtlMinSeconds = 30
/** Largest relay message, in bytes of UTF-8. @see threat model, “relay: flood” */
export const relayMessageBytes = 1024 * 1024
/** Requests, topics or messages in one relay batch. @see contract of the relay, 2.5 */
export const relayBatchSize = 500
/** Messages that may wait on one topic. @see threat model, “relay: flood” */
export const relayTopicMessages = 1_000
/** Bytes of messages that may wait on one topic. @see threat model, “relay: flood” */
export const relayTopicBytes = 8 * 1024 * 1024
/** Sustained publishes a second of one client; more are delayed. @see threat model, “relay: flood” */
export const relayPublishRate = 20
/** Publishes a client may send at once after a rest. @see threat model, “relay: flood” */
export const relayPublishBurst = 60
/** Bytes waiting in a socket from which nothing more is pushed. @see threat model, “slow reader” */
export const relayBufferBytes = 4 * 1024 * 1024
/** After this long a reader that slow is disconnected. @see threat model, “slow reader” */
export const relaySlowMs = 30_000
/** Node clients cut a socket that is silent for 35 s. @see contract of the relay, 1.3 */
export const relayPingMs = 25_000
/** Time between the answer to a publish and its delivery to official clients. @see docs/relay.md */
export const relayDeliveryDelayMs = 15
/** A push that is not acknowledged is repeated after this time. @see contract of the relay, 3 */
export const relayRepeatMs = 30_000
/** How often. @see contract of the relay, 3 */
export const relayRepeats = 3
/** A client’s token lives this long. @see contract of the relay, 1.1 */
export const relayJwtSeconds = 24 * 60 * 60
/** Longest life of a client’s token that is accepted. @see threat model, “relay: auth” */
export const relayJwtMaxSeconds = 25 * 60 * 60
/** How wrong a client’s clock may be: 5 minutes, and the relay’s own few seconds. @see threat model, 6 */
export const relayClockSkewSeconds = 5 * 60 + 10

/** How long the URI of a pairing is shown. @see §4.7, §9.1.1 */
export const pairingLifetimeMs = 4 * 60_000
/** A pairing that ends within this time counts as expired. @see §4.7, §9.1.1 */
export const pairingExpiryMarginMs = 10_000
/** How long a wallet may think about what it was offered. @see contract of the relay, 4.4 */
export const proposalLifetimeMs = 5 * 60_000

/** Life of an attestation. @see threat model, “forged attestation” */
export const verifyAttestationSeconds = 5 * 60
/** Life of the token a page of the old enclave sends back. @see contract of the relay, 6 */
export const verifyCsrfSeconds = 60 * 60
/** How long a client may keep the verify service's public key. */
export const verifyKeySeconds = 60 * 60
/** Domains looked at for one host: a name has at most 127 labels, and no honest one this many. */
export const verifyMaxLabels = 20
/** A page waits no longer for its attestation; official clients wait 5 s. */
export const attestTimeoutMs = 3_000
/** After a failure the verify service is left alone for this time. */
export const attestPauseMs = 60_000
/** A wallet waits no longer for each answer of the verify service. */
export const verifyLookupTimeoutMs = 1_500
/** How wrong the clock of a wallet may be. @see threat model, 6 */
export const verifyClockSkewSeconds = 5 * 60
