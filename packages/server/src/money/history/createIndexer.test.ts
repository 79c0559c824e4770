import {
  accounts,
  addresses,
  generateHistory,
  startChain,
  usdcAbi,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import {
  createTestClient,
  createWalletClient,
  http,
  numberToHex,
  publicActions,
  type Address,
  type Hash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findWatch, LeaseLostError } from '../../storage/history.ts'
import { engines } from '../../testing/databases.ts'
import { startCountingProxy } from '../../testing/startCountingProxy.ts'
import { findHistory, readHistories } from './testing/findHistory.ts'
import { drain, useIndexers } from './testing/useIndexers.ts'

const [mira, tomas] = accounts
const id = 'eip155:31337'
const someone: Address = '0x00000000000000000000000000000000000a11ce'

let chain: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
beforeAll(async () => {
  chain = await startChain()
  proxy = await startCountingProxy(chain.url)
})
beforeEach(() => {
  proxy.refuses = () => false
  proxy.waits = async () => {}
  proxy.changes = (reply) => reply
})
afterAll(async () => {
  await proxy?.stop()
  await chain?.stop()
})

const node = () =>
  createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(publicActions)
const wallet = () =>
  createWalletClient({
    account: privateKeyToAccount(mira.privateKey),
    transport: http(chain.url),
  })
const pay = async (value: bigint) =>
  mined(wallet().sendTransaction({ to: someone, value, chain: null }))
const transfer = async (amount: bigint) =>
  mined(
    wallet().writeContract({
      chain: null,
      address: addresses.usdc,
      abi: usdcAbi,
      functionName: 'transfer',
      args: [someone, amount],
    }),
  )
async function mined(sent: Promise<Hash>) {
  await receiptOf(node(), await sent)
}

describe.each(engines)('the indexer on %s', (engine) => {
  const fixture = useIndexers(engine, () => proxy.url)
  const { create, stored, watch } = fixture

  test('finds every transaction of an account, older and new ones', async () => {
    await pay(1n)
    await watch(mira.address)
    await watch(someone)
    const indexer = create()
    await drain(indexer)
    await pay(2n)
    await transfer(3n)
    await drain(indexer)
    for (const address of [mira.address, someone])
      expect(await stored(address)).toEqual(await findHistory(chain.url, address))
    expect((await stored(mira.address)).length).toBeGreaterThan(5)
  })

  test('reads as many older blocks as configured, once for all new accounts', async () => {
    await node().mine({ blocks: 30 })
    const head = Number(await node().getBlockNumber())
    await watch(mira.address)
    await watch(someone)
    proxy.calls.length = 0
    await drain(create({ backfillBlocks: 20 }))
    const read = proxy.calls.filter(({ params }) => params?.[1] === true)
    expect(read.map(({ params }) => Number(params![0])).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => head - 19 + index),
    )
    const watched = await findWatch(fixture.db, id, someone)
    expect(watched).toEqual({
      followedFrom: head + 1,
      backfill: { next: head - 20, end: head - 19 },
    })
  })

  test('replaces the transactions of a chain whose last blocks change', async () => {
    await watch(mira.address)
    await watch(someone)
    const indexer = create()
    await pay(1n)
    await drain(indexer)
    const snapshot = await chain.snapshot()
    for (let value = 10n; value < 18n; value++) await pay(value)
    await drain(indexer)
    const before = await stored(someone)
    await chain.revert(snapshot)
    for (let value = 20n; value < 27n; value++) await pay(value)
    await drain(indexer)
    const after = await stored(someone)
    expect(after).toEqual(await findHistory(chain.url, someone))
    expect(after.filter((hash) => before.slice(0, 8).includes(hash))).toEqual([])
    // A chain that is now shorter.
    const shorter = await chain.snapshot()
    await pay(30n)
    await pay(31n)
    await drain(indexer)
    await chain.revert(shorter)
    await drain(indexer)
    await pay(32n)
    await drain(indexer)
    expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
  })

  test('reads a chain again after another chain has replaced it', async () => {
    const other = await chain.snapshot()
    await node().mine({ blocks: 70 })
    await watch(someone)
    const indexer = create()
    await drain(indexer)
    await pay(1n)
    await drain(indexer)
    await chain.revert(other)
    await pay(2n)
    await node().mine({ blocks: 80 })
    await drain(indexer)
    expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
  })

  test('continues after a restart', async () => {
    await watch(someone)
    const first = create()
    await drain(first)
    await pay(5n)
    await first.stop()
    await pay(6n)
    proxy.calls.length = 0
    await drain(create())
    expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
    expect(proxy.calls.filter(({ params }) => params?.[1] === true)).toHaveLength(2)
  })

  test('runs in one process at a time; another takes over 6 s after a kill', async () => {
    await watch(someone)
    const [first, second] = [create(), create()]
    await drain(first)
    await pay(7n)
    await drain(second)
    expect((await stored(someone))[0]).not.toBe((await findHistory(chain.url, someone))[0])
    fixture.now += 6_000
    await drain(second)
    expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
    await pay(8n)
    await expect(first.step()).resolves.toBe(false)
  })

  test('attack: a process that lost its lease stores nothing', async () => {
    await watch(someone)
    const [first, second] = [create(), create()]
    await drain(first)
    await pay(9n)
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
    proxy.methods.length = 0
    proxy.waits = async (body) => (body.includes('eth_getLogs') ? resumed : undefined)
    const failing = first.step().catch((error: unknown) => error)
    await expect.poll(() => proxy.methods).toContain('eth_getLogs')
    proxy.waits = async () => {}
    fixture.now += 6_000
    await drain(second)
    resume()
    expect(await failing).toBeInstanceOf(LeaseLostError)
    expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
  })

  test('attack: keeps the newest 2,000 transactions and 1,100 tokens of an account', async () => {
    await watch(someone)
    const indexer = create()
    await drain(indexer)
    const rows = Array.from({ length: 2_100 }, (_, index) => ({
      chain: id,
      address: someone,
      block: 1,
      position: 10_000 + index,
      facts: JSON.stringify({ hash: `0x${index}` }),
    }))
    await fixture.db.insertInto('history_entries').values(rows).execute()
    const assets = Array.from({ length: 1_300 }, (_, index) => ({
      chain: id,
      address: someone,
      contract: numberToHex(index, { size: 20 }),
      token_id: index < 150 ? '' : '1',
      standard: index < 150 ? ('erc20' as const) : ('erc721' as const),
      last_seen_at: index,
    }))
    await fixture.db.insertInto('history_assets').values(assets).execute()
    await node().setAutomine(false)
    for (
      let nonce = await node().getTransactionCount({ address: mira.address }), sent = 0;
      sent < 110;
      sent++
    )
      await wallet().sendTransaction({
        to: someone,
        value: 1n,
        chain: null,
        nonce: nonce + sent,
        gas: 21_000n,
      })
    await node().setAutomine(true)
    await node().mine({ blocks: 1 })
    await drain(indexer)
    const kept = await stored(someone)
    expect(kept).toHaveLength(2_000)
    const tokens = await fixture.db
      .selectFrom('history_assets')
      .select(['standard', 'last_seen_at'])
      .where('address', '=', someone)
      .execute()
    const seen = (standard: string) =>
      tokens.filter((it) => it.standard === standard).map((it) => it.last_seen_at)
    expect([seen('erc20').length, seen('erc721').length]).toEqual([100, 1_000])
    expect(Math.min(...seen('erc20'))).toBeGreaterThanOrEqual(50)
    expect(Math.min(...seen('erc721'))).toBeGreaterThanOrEqual(300)
    expect(kept[0]).toBe((await findHistory(chain.url, someone))[0])
  })

  test('forgets accounts that were not requested for 30 days, and earlier if it is full', async () => {
    await watch(someone)
    await watch(tomas.address)
    const indexer = create({ maxAddresses: 2 })
    await drain(indexer)
    fixture.now += 25 * 3_600_000
    await watch(tomas.address)
    await drain(indexer)
    // Two of two addresses are more than 90 %, so the address that has been
    // idle for a day is removed.
    expect(await findWatch(fixture.db, id, someone)).toBeUndefined()
    expect(await stored(someone)).toEqual([])
    expect(await findWatch(fixture.db, id, tomas.address.toLowerCase())).toBeDefined()
    fixture.now += 31 * 24 * 3_600_000
    await drain(indexer)
    expect(await findWatch(fixture.db, id, tomas.address.toLowerCase())).toBeUndefined()
  })
})

describe('the indexer', () => {
  const fixture = useIndexers('sqlite', () => proxy.url)
  const { create, stored, watch } = fixture

  test.each<
    [string, string, (reply: Reply, call: { method: string; params?: unknown[] }) => unknown]
  >([
    [
      'a block with another parent',
      'has another parent',
      (reply, { params }) =>
        params?.[1] === true ? withResult(reply, { parentHash: otherHash }) : reply,
    ],
    [
      'a block that changes while it is read',
      'changed while its logs were read',
      (reply, { method, params }) =>
        method === 'eth_getBlockByNumber' && params?.[1] === false && params[0] !== 'latest'
          ? withResult(reply, { hash: otherHash })
          : reply,
    ],
    [
      'a receipt of another block',
      'belongs to another block',
      (reply, { method }) =>
        method === 'eth_getTransactionReceipt'
          ? withResult(reply, { blockHash: otherHash })
          : reply,
    ],
    [
      'no block',
      'is missing',
      (reply, { params }) => (params?.[1] === true ? { ...reply, result: null } : reply),
    ],
    [
      'an error',
      'refused a call: too many',
      ({ id: callId }, { method }) =>
        method === 'eth_getLogs'
          ? { jsonrpc: '2.0', id: callId, error: { code: -32_005, message: 'too many' } }
          : undefined,
    ],
    [
      'malformed logs',
      'Invalid key',
      (reply, { method }) => (method === 'eth_getLogs' ? { ...reply, result: [{}] } : reply),
    ],
  ])(
    'stores nothing from an upstream that returns %s, and continues later',
    async (_, problem, lie) => {
      await watch(someone)
      const indexer = create()
      await drain(indexer)
      await pay(40n)
      await pay(41n)
      const before = await stored(someone)
      proxy.changes = (reply, call) => lie(reply as Reply, call) ?? reply
      await expect(indexer.step()).rejects.toThrow(problem)
      expect(await stored(someone)).toEqual(before)
      proxy.changes = (reply) => reply
      await drain(indexer)
      expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
    },
  )

  test('reads new blocks while its upstream does not have the older ones', async () => {
    const first = await node().getBlockNumber()
    proxy.changes = (reply, { params }) =>
      params?.[0] !== 'latest' && Number(params?.[0]) <= Number(first)
        ? { ...(reply as Reply), result: null }
        : reply
    await watch(someone)
    const indexer = create()
    await drain(indexer)
    await pay(70n)
    await pay(71n)
    await drain(indexer)
    expect(await stored(someone)).toEqual((await findHistory(chain.url, someone)).slice(0, 2))
  })

  test('waits for an upstream that is behind', async () => {
    await watch(someone)
    const indexer = create()
    await drain(indexer)
    const behind = await node().getBlock()
    await pay(50n)
    await drain(indexer)
    const before = await stored(someone)
    proxy.changes = (reply, { params }) =>
      params?.[0] === 'latest'
        ? withResult(reply as Reply, {
            number: `0x${behind.number.toString(16)}`,
            hash: behind.hash,
          })
        : Number(params?.[0]) > Number(behind.number)
          ? { ...(reply as Reply), result: null }
          : reply
    await drain(indexer)
    expect(await stored(someone)).toEqual(before)
  })

  test('reads fewer blocks at once while its upstream refuses many', async () => {
    await node().mine({ blocks: 40 })
    await pay(60n)
    await watch(someone)
    proxy.refuses = (body) => body.split('eth_getBlockByNumber').length > 3
    const indexer = create()
    const isComplete = async () => {
      const { backfill } = (await findWatch(fixture.db, id, someone))!
      return backfill !== undefined && backfill.next < backfill.end
    }
    while (!(await isComplete())) {
      await drain(indexer)
      // The pause after a failure, during which an upstream that has failed
      // often gets no calls.
      fixture.now += 60_000
    }
    expect(await stored(someone)).toEqual(await findHistory(chain.url, someone))
  })
})

type Reply = { id: unknown; result: Record<string, unknown> }

const otherHash = `0x${'ab'.repeat(32)}`

function withResult(reply: Reply, changes: Record<string, unknown>) {
  return { ...reply, result: { ...reply.result, ...changes } }
}

describe.each(engines)(
  'the indexer on %s, with 2,000 transactions between 50 accounts',
  (engine) => {
    const fixture = useIndexers(engine, () => busy.url)
    let busy: Chain
    let history: Awaited<ReturnType<typeof generateHistory>>
    beforeAll(async () => {
      busy = await startChain()
      history = await generateHistory(busy)
    })
    afterAll(() => busy?.stop())

    test('loses no transfer and stores none twice, except zero-value transfers that others made', async () => {
      const { addresses: people, transactions } = history
      for (const address of people) await fixture.watch(address)
      await drain(fixture.create())
      const ofAccount = await readHistories(busy.url)
      const poison = new Set(
        transactions.filter(({ kind }) => kind === 'poison').map(({ hash }) => hash),
      )
      let expected = 0
      for (const address of people) {
        const onChain = ofAccount(address).filter((hash) => !poison.has(hash))
        expect(await fixture.stored(address)).toEqual(onChain)
        expected += onChain.length
      }
      expect(poison.size).toBeGreaterThan(5)
      // Most transactions are in the history of two accounts.
      expect(expected).toBeGreaterThan(2_000)
    })
  },
)
