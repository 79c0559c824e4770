/** Maximum length of the label of a name, in characters: that of a DNS label (RFC 1035, 2.3.4). */
export const nameMaxLength = 63
/** Maximum number of names of one account. */
export const namesPerAccount = 5
/** Maximum number of names that one client address registers in a burst. @see docs/threats.md#names-for-everyone */
export const nameBurst = 10
/** Sustained number of names that one client address registers per hour. @see docs/threats.md#names-for-everyone */
export const namesPerHour = 5
/** Maximum number of addresses of a name. */
export const nameAddresses = 20
/** Maximum length of the attribute `bio`, in characters. */
export const nameBioLength = 255
/** Maximum number of names in a response with suggestions. @see docs/contracts/gateway.md#names */
export const nameSuggestions = 5
/**
 * How long a signed message about a name is accepted after its timestamp: five
 * minutes for signing, and five for clock skew. @see
 * docs/threats.md#replayed-registrations
 */
export const nameMessageSeconds = 10 * 60
/** How far in the future the timestamp of a signed message may be. @see docs/threats.md#wrong-clocks */
export const nameClockSkewSeconds = 5 * 60
/** How long an answer to a resolver contract is valid (EIP-3668). */
export const nameAnswerSeconds = 5 * 60
