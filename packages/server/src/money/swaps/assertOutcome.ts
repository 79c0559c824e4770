import { parseAbi, parseEventLogs, type Address } from 'viem'
import { keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { callsOf, simulateCalls } from './simulateCalls.ts'
import { SwapSourceError, type BuiltSwap, type SwapOrder } from './SwapSource.ts'

/** The events of tokens and of the native currency, which nodes trace as transfers of a token. */
const tokens = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
])

/** The events of NFTs. */
const nfts = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])

/**
 * Simulates a swap and checks its effect on the account: the account pays at
 * most the amount, receives at least the minimum, and neither pays nor approves
 * anything else.
 *
 * Does nothing for a swap without a minimum, if the upstream has no
 * `eth_simulateV1`, or if the swap would fail, which the gas estimation
 * reports.
 *
 * @param spender - the contract that may spend the token to pay with.
 * @throws {SwapSourceError} if the swap does something else.
 * @see docs/threats.md#false-swaps-of-a-vendor
 */
export async function assertOutcome(
  chain: EvmChain,
  order: SwapOrder,
  built: BuiltSwap,
  spender: Address,
): Promise<void> {
  const { account, amount, from, to } = order
  const { minimum } = built
  if (minimum === undefined) return
  const calls = callsOf(order, built, spender)
  const simulated = await simulateCalls(chain, account, calls).catch(() => undefined)
  if (simulated?.status !== 'success') return
  const { logs } = simulated
  const isAccount = (address: Address) => keyOf(address) === keyOf(account)
  const changes = new Map<string, bigint>()
  const change = (token: string, units: bigint) =>
    changes.set(token, (changes.get(token) ?? 0n) + units)

  for (const { address, args, eventName } of parseEventLogs({ abi: tokens, logs })) {
    if (eventName === 'Transfer') {
      if (isAccount(args.from)) change(keyOf(address), -args.value)
      if (isAccount(args.to)) change(keyOf(address), args.value)
    } else if (isAccount(args.owner) && args.value > 0n && keyOf(args.spender) !== keyOf(spender))
      throw different('another approved contract')
  }
  if (parseEventLogs({ abi: nfts, logs }).some(({ args }) => isAccount(args.from)))
    throw different('an NFT to pay')

  const paid = changes.get(keyOf(from)) ?? 0n
  changes.delete(keyOf(from))
  if (paid < -amount) throw different('the amount to pay')
  if ([...changes.values()].some((units) => units < 0n)) throw different('another token to pay')
  if ((changes.get(keyOf(to)) ?? 0n) < minimum) throw different('the amount to get')
}

function different(what: string): SwapSourceError {
  return new SwapSourceError(`The simulated swap differs from the order: ${what}`)
}
