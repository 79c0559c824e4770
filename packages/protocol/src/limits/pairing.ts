/** Lifetime of a pairing URI. @see §4.7, §9.1.1 */
export const pairingLifetimeMs = 4 * 60_000
/** A pairing that expires within this time counts as expired. @see §4.7, §9.1.1 */
export const pairingExpiryMarginMs = 10_000
/** Lifetime of a session proposal. @see docs/contracts/relay.md#client-methods */
export const proposalLifetimeMs = 5 * 60_000
