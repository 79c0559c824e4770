import { createPublicClient, http } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { accounts } from './accounts.ts'
import { movePrices } from './movePrices.ts'
import { poolAbi, pools } from './pools.ts'
import { type Chain, startChain } from './startChain.ts'

const running: Chain[] = []
afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop()
})

async function start() {
  const chain = await startChain()
  running.push(chain)
  return chain
}

const read = ({ url }: Chain) => createPublicClient({ transport: http(url), cacheTime: 0 })

const pricesOf = async (chain: Chain) =>
  Promise.all(
    pools.map(async ({ address }) => {
      const [root] = await read(chain).readContract({
        address,
        abi: poolAbi,
        functionName: 'slot0',
      })
      return root
    }),
  )

/** The ratio of two prices. Pools store the square roots of prices. */
const ratio = (a: bigint, b: bigint) => (Number(a) / Number(b)) ** 2

test('moves the price of every pool, keeps both USDC pools at the same price, and changes no account’s balance', async () => {
  const chain = await start()
  const [before, balance] = [await pricesOf(chain), await read(chain).getBalance(accounts[0])]
  expect(await movePrices(chain, { steps: 20, seed: 3, blockSeconds: 30 })).toEqual({ steps: 20 })
  const after = await pricesOf(chain)
  const moves = after.map((price, index) => ratio(price, before[index]!))
  for (const move of moves) expect(Math.abs(move - 1)).toBeGreaterThan(0.0005)
  expect(moves[0]).toBeCloseTo(moves[1]!, 6)
  expect(await read(chain).getBalance(accounts[0])).toBe(balance)
})

test('moves to the same prices with the same seed, and to others with another', async () => {
  const [a, b, c] = [await start(), await start(), await start()]
  await Promise.all([
    movePrices(a, { steps: 6, seed: 5 }),
    movePrices(b, { steps: 6, seed: 5 }),
    movePrices(c, { steps: 6, seed: 6 }),
  ])
  expect(await pricesOf(a)).toEqual(await pricesOf(b))
  expect(await pricesOf(a)).not.toEqual(await pricesOf(c))
})

test('stops within its step when the signal aborts', async () => {
  const chain = await start()
  const stopping = new AbortController()
  const moving = movePrices(chain, { steps: Infinity, pauseMs: 60_000, signal: stopping.signal })
  const client = read(chain)
  const [before] = await pricesOf(chain)
  await expect.poll(async () => (await pricesOf(chain))[0]).not.toBe(before)
  stopping.abort()
  expect(await moving).toEqual({ steps: 1 })
  expect(await client.getChainId()).toBe(31337)
})

test('error: rejects once the chain has stopped', async () => {
  const chain = await start()
  const moving = movePrices(chain, { steps: Infinity })
  const [outcome] = await Promise.allSettled([moving, chain.stop()])
  expect(outcome.status).toBe('rejected')
})
