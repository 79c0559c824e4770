import { decodeFunctionResult, encodeFunctionData, erc20Abi, parseAbi, parseEventLogs } from 'viem'
import { zeroAddress, type Address, type Hex, type Log } from 'viem'
import type { Rpc } from './createRpc.ts'

/**
 * What an account gains, or loses if `amount` is negative: the native currency
 * if there is no contract, a token, or, with an `id`, an item of a collection.
 * In atomic units.
 */
export type Change = { contract?: Address; id?: bigint; amount: bigint }

type SimulatedCall = { status: Hex; returnData: Hex; logs?: Log[] }
type CallToSimulate = { from?: Address; to?: Address | null; value?: bigint; data?: Hex }

const transfers = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
])
const collections = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 amount)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts)',
])

/**
 * The address under which `eth_simulateV1` logs transfers of the native
 * currency.
 */
const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/**
 * The maximum number of contracts whose balances are read. With more of them,
 * the changes are unknown: worthless tokens could otherwise hide a loss.
 */
const maxTokens = 20
/** The maximum number of lost items of collections, which are known only from logs. With more, the changes are unknown. */
const maxItems = 20

/**
 * Simulates calls at a node and returns the changes of the sending account,
 * without gas. Token amounts are the difference between the balances that the
 * contract reports before and after, because its events can be wrong. A
 * contract can behave differently when it is executed later, so the result does
 * not replace other warnings.
 *
 * @param options.calls - executed one after another, from the account
 * @returns `undefined` if the node cannot simulate, if a call fails, or if the
 *   list would be incomplete
 * @see https://github.com/ethereum/execution-apis (`eth_simulateV1`)
 */
export async function simulateChanges(options: {
  rpc: Rpc
  chainId: string
  account: Address
  calls: readonly { to: Address | null; value: bigint; data: Hex }[]
}): Promise<Change[] | undefined> {
  const { account } = options
  const calls = options.calls.map((call) => ({ ...call, from: account }))
  try {
    const [executed = []] = await simulate(options, [calls])
    if (executed.some(({ status }) => status !== '0x1')) return undefined
    const logs = executed.flatMap((call) => call.logs ?? [])
    const isOwn = (address: string) => address.toLowerCase() === account.toLowerCase()

    const changes: Change[] = []
    const add = (change: Change) => {
      const same = changes.find(
        ({ contract, id }) => contract === change.contract && id === change.id,
      )
      if (same) same.amount += change.amount
      else changes.push({ ...change })
    }
    const addTransfer = (move: { from: Address; to: Address }, change: Change) => {
      if (isOwn(move.from)) add({ ...change, amount: -change.amount })
      if (isOwn(move.to)) add(change)
    }

    const moved = parseEventLogs({ abi: transfers, logs })
    for (const { address, args } of moved)
      if (address.toLowerCase() === native) addTransfer(args, { amount: args.amount })

    const sent = new Set(
      moved.flatMap(({ address, args }) => (isOwn(args.from) ? address.toLowerCase() : [])),
    )

    const items = parseEventLogs({ abi: collections, logs })
    for (const { address: contract, args } of items) {
      const ids = 'ids' in args ? args.ids : [args.id]
      const amounts = 'amounts' in args ? args.amounts : ['amount' in args ? args.amount : 1n]
      for (const [index, id] of ids.entries())
        addTransfer(args, { contract, id, amount: amounts[index] ?? 0n })
    }
    if (changes.filter(({ id, amount }) => id !== undefined && amount < 0n).length > maxItems)
      return undefined

    // All contracts that name the account in an event, for example when ether is wrapped.
    const topic = `0x${account.slice(2).toLowerCase().padStart(64, '0')}`
    const collectionsMoved = new Set(items.map(({ address }) => address.toLowerCase()))
    const named = logs.filter(({ topics }) => topics.some((one) => one.toLowerCase() === topic))
    const tokens = [
      ...new Set(named.map(({ address }) => address.toLowerCase() as Address)),
    ].filter((address) => address !== native && !collectionsMoved.has(address))
    if (tokens.length > maxTokens) return undefined
    if (tokens.length > 0) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
      const reads = tokens.map((to) => ({ from: zeroAddress, to, data }))
      const [before = [], , after = []] = await simulate(options, [reads, calls, reads])
      for (const [index, contract] of tokens.entries()) {
        const [old, now] = [toBalance(before[index]), toBalance(after[index])]
        if (old !== undefined && now !== undefined) add({ contract, amount: now - old })
        // Other contracts, which are not tokens, name the account as well.
        else if (sent.has(contract)) return undefined
      }
    }
    return changes.filter(({ amount }) => amount !== 0n)
  } catch {
    return undefined
  }
}

/** Executes lists of calls, each list in a separate block. */
async function simulate(
  { rpc, chainId }: { rpc: Rpc; chainId: string },
  blocks: readonly (readonly CallToSimulate[])[],
): Promise<SimulatedCall[][]> {
  const blockStateCalls = blocks.map((calls) => ({
    calls: calls.map(({ from, to, value, data }) => ({
      from,
      ...(to && { to }),
      ...(value && { value: `0x${value.toString(16)}` }),
      data,
    })),
  }))
  const result = await rpc(chainId, 'eth_simulateV1', [
    { blockStateCalls, traceTransfers: true },
    'latest',
  ])
  return (result as { calls: SimulatedCall[] }[]).map(({ calls }) => calls)
}

function toBalance(call: SimulatedCall | undefined): bigint | undefined {
  if (call?.status !== '0x1' || call.returnData.length !== 66) return undefined
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: call.returnData })
}
