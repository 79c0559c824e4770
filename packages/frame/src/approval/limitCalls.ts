import { decodeFunctionData, encodeFunctionData, parseAbi, type Address, type Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import { readSwapOf, type Call, type Token } from './describeTransaction.ts'
import { encodePermit2Approval, readPermit2Approval } from './permit2.ts'
import type { SwapContext } from './readSwap.ts'
import type { Limit } from './Statement.ts'
import { unlimitedAmount } from './text.ts'

/** What the visitor has chosen, by the index of the call: an amount in atomic units, or `undefined` for unlimited. */
export type ChosenLimits = ReadonlyMap<number, bigint | undefined>

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
])

/**
 * Limits the unlimited allowances among the calls of a request: to what the visitor has chosen, otherwise to what the
 * later calls need, if that is known.
 *
 * @param options.balance - reads the account's balance of a token; `undefined` if it cannot be read
 * @returns the calls to sign, and what the visitor can choose, by the index of the call
 * @see docs/threats.md#false-statements-of-the-page
 */
export async function limitCalls(options: {
  calls: readonly Call[]
  from: Address
  chain: ChainConfig
  token: (address: Address) => Promise<Token | undefined>
  isSettler: SwapContext['isSettler']
  balance: (token: Address) => Promise<bigint | undefined>
  chosen: ChosenLimits
}): Promise<{ calls: Call[]; limits: ReadonlyMap<number, Limit> }> {
  const { calls, token, balance, chosen } = options
  const limits = new Map<number, Limit>()
  const limited = await Promise.all(
    calls.map(async (call, index) => {
      const allowance = readUnlimited(call)
      const known = allowance && (await token(allowance.contract))
      // Without decimals, it can be a collection, whose method has an id in place of the amount.
      if (!allowance || !known) return call
      const [needed, held] = await Promise.all([
        readNeeded(allowance, calls.slice(index + 1), options),
        balance(allowance.contract),
      ])
      const amount = chosen.has(index) ? chosen.get(index) : needed
      limits.set(index, { call: index, ...known, amount, needed, balance: held })
      if (amount === undefined) return call
      return { ...call, data: allowance.encode(amount) }
    }),
  )
  return { calls: limited, limits }
}

type Allowance = {
  contract: Address
  spender: Address
  /** The call data of another amount. */
  encode: (amount: bigint) => Hex
}

/** The unlimited allowance that a call gives. */
function readUnlimited({ to, data }: Call): Allowance | undefined {
  const permit2 = readPermit2Approval({ to, data })
  if (permit2) {
    const { token: contract, spender } = permit2
    const encode = (amount: bigint) => encodePermit2Approval({ ...permit2, amount })
    return permit2.amount >= unlimitedAmount ? { contract, spender, encode } : undefined
  }
  try {
    const { functionName, args } = decodeFunctionData({ abi, data })
    const [spender, amount] = args
    const encode = (lower: bigint) =>
      encodeFunctionData({ abi, functionName, args: [spender, lower] })
    return to && amount >= unlimitedAmount ? { contract: to, spender, encode } : undefined
  } catch {
    return undefined
  }
}

/** What the swaps among the calls take of the allowance; `undefined` if none does. */
async function readNeeded(
  { contract, spender }: Allowance,
  calls: readonly Call[],
  context: SwapContext,
): Promise<bigint | undefined> {
  const own = calls.filter(({ to }) => to?.toLowerCase() === spender.toLowerCase())
  const swaps = await Promise.all(own.map((call) => readSwapOf(call, context)))
  const taken = swaps.flatMap((swap) =>
    swap?.pay?.toLowerCase() === contract.toLowerCase() ? swap.most : [],
  )
  return taken.length > 0 ? taken.reduce((sum, most) => sum + most, 0n) : undefined
}
