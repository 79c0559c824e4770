import * as v from 'valibot'

/**
 * Validates what a peer, the relay or a server has sent. Stops at the first issue, because a hostile value may have
 * hundreds of thousands.
 */
export function parseShape<schema extends v.GenericSchema>(
  schema: schema,
  value: unknown,
): v.SafeParseResult<schema> {
  return v.safeParse(schema, value, { abortEarly: true })
}
