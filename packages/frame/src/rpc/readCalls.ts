import { CaipNetworkId } from '@gatefold/protocol'
import type { Address } from 'viem'
import * as v from 'valibot'
import type { Call } from '../approval/describeTransaction.ts'
import { AddressText, Data, Quantity } from './prepareTransaction.ts'
import { RequestError } from './RequestError.ts'

/** As many calls as a visitor can be expected to read in one approval. */
const maxCalls = 20

const Capabilities = v.optional(
  v.record(v.string(), v.object({ optional: v.optional(v.boolean(), false) })),
  {},
)

/** The parameters of `wallet_sendCalls`. @see EIP-5792 */
const SendCalls = v.object({
  version: v.optional(v.string(), '1.0'),
  from: v.optional(AddressText),
  chainId: v.optional(Quantity),
  calls: v.pipe(
    v.array(
      v.object({
        to: v.optional(AddressText),
        value: v.optional(Quantity, '0x0'),
        data: v.optional(Data, '0x'),
        capabilities: Capabilities,
      }),
    ),
    v.minLength(1, 'must not be empty'),
    v.maxLength(maxCalls, `must have at most ${maxCalls} calls`),
  ),
  capabilities: Capabilities,
})

/**
 * Parses the calls of `wallet_sendCalls`.
 *
 * @returns the calls, and whether the site expects the result of version 1,
 *   which is only the id.
 * @throws {RequestError} if the request is invalid or requires a capability
 *   that the wallet lacks.
 */
export function readCalls(
  params: unknown,
  { from, chainId }: { from: Address; chainId: string },
): { calls: Call[]; isVersion1: boolean } {
  const parsed = v.safeParse(SendCalls, Array.isArray(params) ? params[0] : undefined)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new RequestError(`Invalid calls: ${v.getDotPath(issue) ?? 'params'} ${issue.message}`)
  }
  const request = parsed.output
  if (request.from !== undefined && request.from !== from)
    throw new RequestError('The calls are from another account.')
  if (
    request.chainId !== undefined &&
    Number(request.chainId) !== Number(CaipNetworkId.parse(chainId).reference)
  )
    throw new RequestError('The calls are for another network. Switch the network first.')
  const needed = [request, ...request.calls]
    .flatMap(({ capabilities }) => Object.entries(capabilities))
    .find(([, { optional }]) => !optional)
  if (needed) throw new RequestError(`The wallet does not have the capability ${needed[0]}.`)
  return {
    calls: request.calls.map(({ to, value, data }) => ({ to: to ?? null, value, data })),
    isVersion1: request.version.startsWith('1'),
  }
}
