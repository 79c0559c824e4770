import * as v from 'valibot'

/**
 * The body of every HTTP error response, in the format of the public servers. Official clients read only
 * `status`; the kit also reads the reasons.
 *
 * @see docs/contracts/gateway.md#rules-for-all-endpoints
 */
export const Reasons = v.object({
  status: v.literal('FAILED'),
  reasons: v.array(v.object({ field: v.string(), description: v.string() })),
})

export type Reasons = v.InferOutput<typeof Reasons>

/** One problem with a request: the field, and a description such as the expected value. */
export type Reason = Reasons['reasons'][number]
