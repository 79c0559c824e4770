import * as v from 'valibot'

/**
 * The body of every HTTP error, in the shape of the public servers. Official clients read only the status,
 * the kit also the reasons.
 *
 * @see docs/contracts/gateway.md#rules-for-all-endpoints
 */
export const Reasons = v.object({
  status: v.literal('FAILED'),
  reasons: v.array(v.object({ field: v.string(), description: v.string() })),
})

export type Reasons = v.InferOutput<typeof Reasons>

/** One problem of a request: the field and what was expected. */
export type Reason = Reasons['reasons'][number]
