import { createPublicClient, http, isAddressEqual, parseAbi, type Address, type Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi } from '../abis.ts'
import { accounts } from '../accounts.ts'
import { poolAbi, pools } from '../pools.ts'
import { type Chain, startChain } from '../startChain.ts'
import { generateHistory } from './generateHistory.ts'
import { hostileToken } from './strangers.ts'

const read = (chain: Chain) =>
  createPublicClient({ transport: http(chain.url, { batch: true }), cacheTime: 0 })
const now = () => Date.now() / 1000

/** The transactions of a chain by hash, with the time of their block and whether they succeeded. */
async function readAll(chain: Chain) {
  const client = read(chain)
  const head = await client.getBlockNumber()
  const blocks = await Promise.all(
    Array.from({ length: Number(head) + 1 }, async (_, number) =>
      client.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
    ),
  )
  const found = new Map<Hash, { from: Address; to: Address | null; time: number; input: string }>()
  for (const { timestamp, transactions } of blocks)
    for (const { hash, from, to, input } of transactions)
      found.set(hash, { from, to, input, time: Number(timestamp) })
  return found
}

describe('a history of 2,000 transactions between 50 addresses', () => {
  let chain: Chain
  let history: generateHistory.ReturnType
  let found: Awaited<ReturnType<typeof readAll>>
  beforeAll(async () => {
    // A chain that has just started: its latest block has the current time.
    chain = await startChain()
    const begun = performance.now()
    history = await generateHistory(chain)
    console.log(`2,000 transactions in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    found = await readAll(chain)
  })
  afterAll(() => chain?.stop())

  test('is on the chain, each transaction once', async () => {
    const hashes = history.transactions.map(({ hash }) => hash)
    expect(new Set(hashes).size).toBe(2_000)
    expect(hashes.filter((hash) => !found.has(hash))).toEqual([])
    expect(history.addresses.length).toBe(50)
    expect(history.addresses.slice(0, 3)).toEqual(accounts.slice(0, 3).map((it) => it.address))
    const senders = new Set(hashes.map((hash) => found.get(hash)!.from.toLowerCase()))
    for (const address of history.addresses) expect(senders).toContain(address.toLowerCase())
  })

  test('has every kind, and only the failures fail', async () => {
    const client = read(chain)
    const receipts = await Promise.all(
      history.transactions.map(async ({ hash }) => client.getTransactionReceipt({ hash })),
    )
    const outcomes = history.transactions.map(
      ({ kind }, index) => `${kind} ${receipts[index]!.status}`,
    )
    expect([...new Set(outcomes)].toSorted()).toEqual([
      'airdrop success',
      'approval success',
      'bookmark success',
      'call success',
      'dust success',
      'failure reverted',
      'mint success',
      'nftTransfer success',
      'payment success',
      'poison success',
      'swap success',
      'transfer success',
      'wrap success',
    ])
  })

  test('has a token with a link as its name, and senders that look like receivers', async () => {
    const token = { address: hostileToken, abi: usdcAbi } as const
    expect(await read(chain).readContract({ ...token, functionName: 'name' })).toBe(
      'Claim ETH at eth-gift.example',
    )
    expect(await read(chain).readContract({ ...token, functionName: 'symbol' })).toBe('<b>GIFT</b>')
    const imitates = (address: Address) =>
      history.addresses.some(
        (other) =>
          !isAddressEqual(other, address) &&
          other.slice(0, 6).toLowerCase() === address.slice(0, 6).toLowerCase() &&
          other.slice(-4).toLowerCase() === address.slice(-4).toLowerCase(),
      )
    const dust = history.transactions.filter(({ kind }) => kind === 'dust' || kind === 'poison')
    for (const { hash } of dust) expect(imitates(found.get(hash)!.from)).toBe(true)
  })

  test('is followed by blocks with the chain’s time, which is close to the current time', async () => {
    const times = history.transactions.map(({ hash }) => found.get(hash)!.time)
    // One block per second; a chain's time cannot go back.
    expect(Math.max(...times)).toBeLessThan(now() + 180)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('makes the pools store enough trades for an average price', async () => {
    for (const { address } of pools) {
      const [, , , , next] = await read(chain).readContract({
        address,
        abi: poolAbi,
        functionName: 'slot0',
      })
      expect(next).toBeGreaterThanOrEqual(200)
      const abi = parseAbi([
        'function observe(uint32[] secondsAgos) view returns (int56[], uint160[])',
      ])
      await read(chain).readContract({ address, abi, functionName: 'observe', args: [[60, 0]] })
    }
  })
})

test('a chain that starts with a history has the history in the past, and then the current time', async () => {
  const history = { transactions: 60, addresses: 10, days: 30 }
  const chain = await startChain({ history })
  try {
    const times = [...(await readAll(chain)).values()].map(({ time }) => time)
    const recent = times.filter((time) => time > now() - 31 * 86_400)
    expect(recent.length).toBeGreaterThanOrEqual(60)
    expect(Math.max(...recent) - Math.min(...recent)).toBeGreaterThan(20 * 86_400)
    expect(Math.max(...times)).toBeLessThanOrEqual(now())
    const { timestamp } = await read(chain).getBlock()
    expect(Math.abs(Number(timestamp) - now())).toBeLessThan(60)
  } finally {
    await chain.stop()
  }
})

test('the same seed yields the same history, and another seed a different history', async () => {
  const options = { transactions: 40, addresses: 6, seed: 9 }
  const inputs: string[][] = []
  for (const seed of [9, 9, 10]) {
    const chain = await startChain()
    const { transactions } = await generateHistory(chain, { ...options, seed })
    const found = await readAll(chain)
    inputs.push(transactions.map(({ hash }) => found.get(hash)!.input))
    await chain.stop()
  }
  expect(inputs[1]).toEqual(inputs[0])
  expect(inputs[2]).not.toEqual(inputs[0])
})

test('error: rejects a history between fewer than 5 addresses', async () => {
  await expect(generateHistory({ url: 'http://127.0.0.1:1' }, { addresses: 4 })).rejects.toThrow(
    RangeError,
  )
})
