import { smartAccountContracts } from '@gatefold/protocol/frame'
import * as v from 'valibot'
import { concat, hexToBigInt, type Address } from 'viem'
import { formatUserOperationRequest } from 'viem/account-abstraction'
import type { FrameService } from '../service.ts'
import { read } from './settle.ts'
import { stubPaymasterData, stubSignature, type PaidOperation } from './signOperation.ts'

const Quantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,64}$/i),
  v.transform((text) => hexToBigInt(text as `0x${string}`)),
)
const Estimate = v.object({
  callGasLimit: Quantity,
  verificationGasLimit: Quantity,
  preVerificationGas: Quantity,
})
const Price = v.object({ maxFeePerGas: Quantity, maxPriorityFeePerGas: Quantity })
const Demanded = v.object({ fast: Price })

/**
 * Whether an operation offers its bundler clearly more than the bundler needs. Anyone can run a bundler, so a user
 * could otherwise receive the sponsored amount as money. Up to 50 % more is accepted, because fees change until the
 * visitor approves.
 *
 * @returns true also if the bundler or the node of the chain does not respond.
 * @see ERC-7769, `eth_estimateUserOperationGas`; docs/threats.md#sponsored-operations
 */
export async function offersTooMuch(
  service: FrameService,
  chainId: string,
  operation: PaidOperation & { paymaster: Address },
): Promise<boolean> {
  try {
    const [gas, price] = await Promise.all([
      estimateGas(service, chainId, operation),
      readPrice(service, chainId),
    ])
    const needed = { ...gas, ...price }
    const names = Object.keys(needed) as (keyof typeof needed)[]
    return names.some((name) => operation[name] * 2n > needed[name] * 3n)
  } catch {
    return true
  }
}

async function estimateGas({ context }: FrameService, chainId: string, operation: PaidOperation) {
  const { callGasLimit: _, verificationGasLimit: __, preVerificationGas: ___, ...rest } = operation
  const request = formatUserOperationRequest({
    ...rest,
    paymasterData: stubPaymasterData(),
    // The Safe module reads two timestamps before the signature. Zeros mean no time limit.
    signature: concat([`0x${'00'.repeat(12)}`, stubSignature]),
  })
  const [estimate] = await read(context.bundlers.byId.get(chainId)!, [
    {
      method: 'eth_estimateUserOperationGas',
      params: [request, smartAccountContracts.entryPoint],
    },
  ])
  return v.parse(Estimate, estimate)
}

/** The fees that the bundler demands, otherwise those of the network. The frame offers the same fees. */
async function readPrice({ context }: FrameService, chainId: string) {
  const demanded = await read(context.bundlers.byId.get(chainId)!, [
    { method: 'pimlico_getUserOperationGasPrice', params: [] },
  ]).catch(() => [])
  const parsed = v.safeParse(Demanded, demanded[0])
  if (parsed.success) return parsed.output.fast
  const [block, tip] = await read(context.chains.byId.get(chainId)!, [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ])
  const { baseFeePerGas } = v.parse(v.object({ baseFeePerGas: Quantity }), block)
  const maxPriorityFeePerGas = v.parse(Quantity, tip)
  return { maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}
