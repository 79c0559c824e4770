import { isAddressEqual, parseAbi } from 'viem'
import type { Address } from 'viem'
import { readContract } from 'viem/actions'
import { getAction } from 'viem/utils'

import type { Network } from '../../../core/networks/Network.ts'
import { TransactionError } from '../../../core/kit/requestErrors.ts'
import type { Evm } from '../context.ts'
import { revertReason } from '../revert.ts'
import { readClient } from '../transactions.ts'

/**
 * Uniswap's SwapRouter02 on chains where it has the address of its first
 * deployment.
 */
const router = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
/** 0x's AllowanceHolder. */
const holder = '0x0000000000001fF3684f28c67538d4D072C22734'
/** 1inch's AggregationRouterV6. */
const oneInch = '0x111111125421cA6dc452d289314280a0f8842A65'

/** The contracts that may swap and spend, by chain id: SwapRouter02, AllowanceHolder and AggregationRouterV6. */
const official: Record<string, readonly Address[]> = {
  1: [router, holder, oneInch],
  10: [router, holder, oneInch],
  56: ['0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2', holder, oneInch],
  100: [oneInch],
  137: [router, holder, oneInch],
  324: ['0x99c56385daBCE3E81d8499d0b8d0257aBC07E8A3', '0x6fd4383cB451173D5f9304F041C7BCBf27d561fF'],
  8453: ['0x2626664c2603336E57B271c5C0b26F421741e481', holder, oneInch],
  42161: [router, holder, oneInch],
  43114: ['0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE', holder, oneInch],
}

/**
 * The registry of 0x's Settlers, and the feature number of the Settlers that
 * accounts call directly.
 */
const registry = '0x00000000000004533Fe15556B1E086BB1A72cEae'
const takerSubmitted = 2n

const registryAbi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function prev(uint128 featureId) view returns (address)',
])

/**
 * Whether a contract is an official contract of the network or one that the
 * site lists.
 */
export function isKnown(evm: Evm, { id }: Network, contract: Address): boolean {
  return isListed(official[id], contract) || isNamed(evm, id, contract)
}

/**
 * Whether a contract is the current or previous Settler of 0x, or one that the
 * site lists. Each release of 0x has a new Settler, so the addresses are read
 * from its registry. `ownerOf` reverts while the Settlers are paused.
 *
 * @throws {TransactionError} the registry could not be read
 * @see https://github.com/0xProject/0x-settler#how-do-i-find-the-most-recent-deployment
 */
export async function isSettler(evm: Evm, { id }: Network, contract: Address): Promise<boolean> {
  if (isNamed(evm, id, contract)) return true
  if (!isListed(official[id], holder)) return false
  const client = readClient(evm, id)
  if (!client) return false
  const read = getAction(client, readContract, 'readContract')
  const args = [takerSubmitted] as const
  const call = { address: registry, abi: registryAbi, args } as const
  try {
    const [current, previous] = await Promise.all([
      read({ ...call, functionName: 'ownerOf' }),
      read({ ...call, functionName: 'prev' }).catch(unlessReverted),
    ])
    return isListed(previous ? [current, previous] : [current], contract)
  } catch (cause) {
    if (revertReason(cause) !== undefined) return false
    throw new TransactionError('The swapping contract could not be checked', { cause })
  }
}

/** @throws the error, unless it is a revert */
function unlessReverted(error: unknown): undefined {
  if (revertReason(error) === undefined) throw error
}

function isNamed({ options }: Evm, id: Network['id'], contract: Address): boolean {
  return isListed(options.swapContracts?.[Number(id)], contract)
}

function isListed(list: readonly Address[] | undefined, contract: Address): boolean {
  return list?.some((address) => isAddressEqual(address, contract)) ?? false
}
