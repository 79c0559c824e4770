import * as v from 'valibot'
import { pattern } from '../caip/CaipNetworkId.ts'

/** A CAIP-2 id in any namespace. */
export const Caip2 = v.pipe(
  v.string(),
  v.regex(pattern, 'must be a CAIP-2 network id such as eip155:1'),
)
