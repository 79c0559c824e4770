/** Lifetime of an attestation. @see docs/threats.md#forged-attestation */
export const verifyAttestationSeconds = 5 * 60
/** Lifetime of the enclave's token. @see docs/contracts/verify.md#enclave */
export const verifyCsrfSeconds = 60 * 60
/** How long a client may cache the verify service's public key. */
export const verifyKeySeconds = 60 * 60
/** Maximum labels of a host that are looked up in the scam list. A domain name can have 127. */
export const verifyMaxLabels = 20
/** How long a client waits for an attestation of its page; official clients wait 5 s. */
export const attestTimeoutMs = 3_000
/** How long a client stops using the verify service after a failure. */
export const attestPauseMs = 60_000
/** Timeout of each request from a wallet to the verify service. */
export const verifyLookupTimeoutMs = 1_500
/** Tolerated skew of a wallet's clock. @see docs/threats.md#wrong-clocks */
export const verifyClockSkewSeconds = 5 * 60
