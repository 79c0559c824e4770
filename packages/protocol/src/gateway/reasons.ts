/**
 * The body of an HTTP error response, in the format of the public servers. `POST /rpc` of the relay
 * and `GET /health` have other bodies. Official clients read only the HTTP status; the kit also reads the first
 * reason.
 *
 * @see docs/contracts/gateway.md#rules-for-all-endpoints
 */
export type Reasons = { status: 'FAILED'; reasons: Reason[] }

/** One problem with a request: the field, and a description such as the expected value. */
export type Reason = { field: string; description: string }
