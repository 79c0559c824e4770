import { parseUnits, toHex, type Address, type Hash } from 'viem'
import { nftAbi } from '../abis.ts'
import { addresses } from '../addresses.ts'
import { createNode, type Node } from '../createNode.ts'
import { rememberTrades } from '../pools.ts'
import { createRandom, type Random } from '../random.ts'
import { draft, weights, type Draft, type Kind, type OwnKind, type Scene } from './kinds.ts'
import { createPeople, type Person } from './people.ts'
import { airdrop, dust, placeHostileToken, poison } from './strangers.ts'

/** The share of the transactions that strangers send. */
const strangersShare = 0.05
/**
 * Largest number of transactions in a block: `usual`, or `most` if the blocks
 * have to fit into a short time.
 */
const perBlock = { usual: 14, most: 40 }
/** Enough for every kind; the node does not estimate, because some transactions fail. */
const gas = toHex(600_000)
const daySeconds = 24 * 60 * 60

/** A transaction of a generated history. */
export type Generated = { hash: Hash; kind: Kind }

/**
 * Fills a local chain with a realistic history: payments, token and NFT transfers, approvals, swaps, mints, wrapping,
 * contract calls, failures, a hostile token that nobody asked for, and dust from look-alike addresses. Some addresses
 * are much busier than others. The first ones are the accounts of the demo wallets; the node impersonates the others.
 *
 * The blocks are spread over the days before now, but not before the latest block, since a chain's time cannot go
 * back. On a chain that has run for a while, the history is therefore as short as the time since its latest block, at
 * least one second for each block. `startChain({ history })` generates it before the chain reaches the current time.
 *
 * @param chain - a chain without `blockTimeSeconds`
 * @returns the addresses, the busiest first, and the transactions in the order of the blocks
 * @throws {RangeError} fewer than 5 addresses
 * @throws if the chain does not respond
 * @example
 * const { addresses } = await generateHistory(chain, { transactions: 2_000, addresses: 50, seed: 1 })
 */
export async function generateHistory(
  chain: { url: string },
  options: generateHistory.Options = {},
): Promise<generateHistory.ReturnType> {
  const { transactions = 2_000, addresses: count = 50, seed = 1, days = 90 } = options
  if (count < 5) throw new RangeError('A history needs at least 5 addresses.')
  const node = createNode(chain.url)
  const random = createRandom(seed)
  const earliest = Math.max(await latestTime(node), unixTime() - days * daySeconds)
  await setTime(node, earliest + 1)
  await rememberTrades(node)
  await placeHostileToken(node)
  const people = await createPeople(node, count, seed)
  const plates = await node.readContract({
    address: addresses.nft,
    abi: nftAbi,
    functionName: 'totalSupply',
  })

  const start = await latestTime(node)
  const hasTime = unixTime() - start > transactions
  // Nobody sends two transactions in a block.
  const most = Math.min(hasTime ? perBlock.usual : perBlock.most, Math.floor(count / 2))
  const sizes = planBlocks(random, transactions, most)
  const clock = createClock(random, { start, blocks: sizes.length })
  const plan = { random, people, nextPlate: plates + 1n }
  const generated: Generated[] = []
  await node.setAutomine(false)
  await node.request({ method: 'anvil_autoImpersonateAccount', params: [true] } as never)
  try {
    for (const size of sizes) {
      const block = draftBlock(plan, size)
      const hashes = await Promise.all(block.map(async (each) => send(node, each)))
      await node.request({ method: 'evm_mine', params: [clock()] } as never)
      for (const [index, { after, kind }] of block.entries()) {
        after?.()
        generated.push({ hash: hashes[index]!, kind })
      }
    }
  } finally {
    await node.request({ method: 'anvil_autoImpersonateAccount', params: [false] } as never)
    await node.setAutomine(true)
    // From here on, a block again has the time at which it is mined.
    await setTime(node, unixTime())
  }
  return { addresses: people.map(({ address }) => address), transactions: generated }
}

export declare namespace generateHistory {
  type Options = {
    /** @default 2000 */
    transactions?: number
    /** How many addresses take part, at least 5. @default 50 */
    addresses?: number
    /** The same seed yields the same history on a new chain. @default 1 */
    seed?: number
    /** The days before now over which the blocks are spread. @default 90 */
    days?: number
  }

  type ReturnType = { addresses: readonly Address[]; transactions: readonly Generated[] }
}

type Plan = { random: Random; people: readonly Person[]; nextPlate: bigint }

/**
 * The transactions of a block. None depends on another, because the node
 * chooses their order.
 */
function draftBlock(plan: Plan, size: number): (Draft & { kind: Kind })[] {
  const { random, people } = plan
  const block: (Draft & { kind: Kind })[] = []
  const busy = new Set<Address>()
  let mints = false
  const add = (kind: Kind, next: Draft | undefined) => {
    if (!next || busy.has(next.from)) return
    busy.add(next.from)
    block.push({ ...next, kind })
  }
  while (block.length < size) {
    if (random.chance(strangersShare)) {
      const victim = pickPerson(random, people)
      if (random.chance(0.6)) add('airdrop', airdrop(random, victim))
      else if (random.chance(0.5)) add('dust', dust(random, victim))
      else add('poison', poison(random, victim))
      continue
    }
    const sender = pickPerson(random, people)
    const receiver = pickPerson(random, people)
    if (sender === receiver || busy.has(sender.address)) continue
    const kind = pickKind(random)
    if (kind === 'mint' && mints) continue
    const scene: Scene = { random, sender, receiver, nextPlate: plan.nextPlate }
    const next = draft(kind, scene)
    if (next && kind === 'mint') {
      mints = true
      plan.nextPlate += 1n
    }
    // A swap of a token that the router may not spend yet begins with an approval.
    add(
      next && kind === 'swap' && next.to !== addresses.uniswapV3SwapRouter02 ? 'approval' : kind,
      next,
    )
  }
  return block
}

/**
 * Sends a transaction without waiting for its block. Funds look-alike
 * addresses, which have no ether.
 */
async function send(
  node: Node,
  { from, to, data, value, kind }: Draft & { kind: Kind },
): Promise<Hash> {
  if (kind === 'dust' || kind === 'poison')
    await node.setBalance({ address: from, value: parseUnits('1', 18) })
  const fields = { from, to, gas, ...(data && { data }), ...(value && { value: toHex(value) }) }
  return node.request({ method: 'eth_sendTransaction', params: [fields] } as never)
}

/** Half of all picks are among the first tenth of the people. */
function pickPerson(random: Random, people: readonly Person[]): Person {
  return people[Math.floor(people.length * random.next() ** 3.3)]!
}

function pickKind(random: Random): OwnKind {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = random.next() * total
  for (const [kind, weight] of weights) {
    rest -= weight
    if (rest < 0) return kind
  }
  return 'payment'
}

/** The numbers of transactions in the blocks. */
function planBlocks(random: Random, transactions: number, most: number): number[] {
  const sizes: number[] = []
  for (let rest = transactions; rest > 0; rest -= sizes.at(-1)!)
    sizes.push(Math.min(rest, Math.ceil(most / 3) + random.below(most - Math.ceil(most / 3) + 1)))
  return sizes
}

/**
 * Returns a function that returns the time of the next block, in Unix seconds. The times increase unevenly, and the last
 * one is the current time, unless there are more blocks than seconds.
 */
function createClock(
  random: Random,
  { start, blocks }: { start: number; blocks: number },
): () => number {
  const span = Math.max(unixTime() - start, 0)
  let last = start
  let index = 0
  return () => {
    index += 1
    const share = (index - (index < blocks ? random.next() * 0.9 : 0)) / blocks
    last = Math.max(last + 1, start + Math.floor(span * share))
    return last
  }
}

async function latestTime(node: Node): Promise<number> {
  const { timestamp } = await node.getBlock()
  return Number(timestamp)
}

/** Sets the chain's clock, which continues from there. */
async function setTime(node: Node, seconds: number): Promise<void> {
  await node.request({ method: 'evm_setTime', params: [seconds] } as never)
}

function unixTime(): number {
  return Math.floor(Date.now() / 1000)
}
