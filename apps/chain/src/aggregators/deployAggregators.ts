import {
  encodeAbiParameters,
  getAddress,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { createNode } from '../createNode.ts'
import { code } from './code.ts'
import { receiptOf } from '../receiptOf.ts'

export type AggregatorAddresses = {
  /** 0x: the contract that may spend. */
  allowanceHolder: Address
  /** 0x: the contract that swaps. */
  settler: Address
  /** 0x: the registry of Settlers. */
  settlers: Address
  /** 1inch: the contract that may spend and swaps. */
  router: Address
  /** 1inch: the contract that the router pays. */
  executor: Address
}

/** Pays for the contracts. It has no key. */
const owner = '0x000000000000000000000000000000000000a66e'

/** The kind of Settlers that accounts call themselves. */
const takerSubmitted = 2n

/**
 * Deploys stand-ins for the contracts of 0x and 1inch on a local chain: the
 * entry points, checks and errors of the real ones, but with their own action
 * format, which `startSwapVendor` generates.
 *
 * @see ../../contracts/src/Aggregators.sol
 */
export async function deployAggregators({ url }: { url: string }): Promise<AggregatorAddresses> {
  const node = createNode(url)
  await node.setBalance({ address: owner, value: 10n ** 20n })
  await node.impersonateAccount({ address: owner })
  const send = async (transaction: { to?: Address; data: Hex }) => {
    const hash = await node.sendTransaction({ account: owner, chain: null, ...transaction })
    return receiptOf(node, hash)
  }
  const deploy = async (name: keyof typeof code, args: Hex = '0x'): Promise<Address> => {
    const { contractAddress } = await send({ data: `${code[name]}${args.slice(2)}` as Hex })
    if (!contractAddress) throw new Error(`${name} was not deployed.`)
    return getAddress(contractAddress)
  }
  const allowanceHolder = await deploy('AllowanceHolder')
  const settler = await deploy(
    'Settler',
    encodeAbiParameters([{ type: 'address' }], [allowanceHolder]),
  )
  const settlers = await deploy('Settlers')
  const router = await deploy('AggregationRouterV6')
  const executor = await deploy('Executor')
  await setSettlers({ url }, settlers, settler, zeroAddress)
  return { allowanceHolder, settler, settlers, router, executor }
}

/** Sets the current and the previous Settler in a registry; `zeroAddress` as the current one pauses them. */
export async function setSettlers(
  { url }: { url: string },
  registry: Address,
  current: Address,
  previous: Address,
): Promise<void> {
  const node = createNode(url)
  await node.setBalance({ address: owner, value: 10n ** 20n })
  await node.impersonateAccount({ address: owner })
  const hash = await node.writeContract({
    account: owner,
    chain: null,
    address: registry,
    abi: parseAbi(['function set(uint256 kind, address now_, address before)']),
    functionName: 'set',
    args: [takerSubmitted, current, previous],
  })
  await receiptOf(node, hash)
}
