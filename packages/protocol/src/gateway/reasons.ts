/**
 * The body of every HTTP error response, in the format of the public servers. Official clients read only
 * `status`; the kit also reads the reasons.
 *
 * @see docs/contracts/gateway.md#rules-for-all-endpoints
 */
export type Reasons = { status: 'FAILED'; reasons: Reason[] }

/** One problem with a request: the field, and a description such as the expected value. */
export type Reason = { field: string; description: string }
