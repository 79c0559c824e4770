import * as v from 'valibot'

/**
 * The body of every error the HTTP gateway answers, in the shape of the public servers.
 * Official clients look at the status alone; people and our own client read the reasons.
 */
export const Reasons = v.object({
  status: v.literal('FAILED'),
  reasons: v.array(v.object({ field: v.string(), description: v.string() })),
})

export type Reasons = v.InferOutput<typeof Reasons>

/** One thing that is wrong with a request: which field, and what was expected. */
export type Reason = Reasons['reasons'][number]
