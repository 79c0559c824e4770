import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accounts, addresses, startChain } from '@gatefold/chain'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  numberToHex,
  type Address,
} from 'viem'
import { findHistory } from '../../packages/server/src/money/history/testing/findHistory.ts'
import type { Program } from '../program.ts'
import type { Report } from './report.ts'
import { indexedChain as id, startIndexer } from './startIndexer.ts'
import { startPostgres } from './startPostgres.ts'
import { until } from './until.ts'

/** How many accounts get transactions; each must get less than the 2,000 that are kept. */
const accountCount = 10
/** Limit for another process, or the restarted one, to index new blocks. */
const resumeLimitMs = 60_000
/** Depth of the reorganizations. */
const reorgBlocks = 5
/** Number of transactions after which the chain is reorganized. */
const reorgEvery = 40

/**
 * Repeatedly kills a server that indexes a chain, while transactions are mined and the chain is reorganized; with
 * PostgreSQL, kills two servers in turn. Then compares the stored history of every account with the chain itself: no
 * transaction may be missing, stored twice, or no longer be part of the chain.
 */
export async function killIndexer(options: {
  storeKind: 'SQLite' | 'PostgreSQL'
  kills: number
  perSecond: number
  /** Time under load before each kill, once the index grows and the chain was reorganized. */
  loadMs: number
}): Promise<Report> {
  const { storeKind, kills, perSecond, loadMs } = options
  const undo: (() => Promise<unknown>)[] = []
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-faults-'))
    undo.push(() => rm(dataDir, { recursive: true, force: true }))
    const chain = await startChain()
    undo.push(() => chain.stop())
    const store = storeKind === 'PostgreSQL' ? await startPostgres() : undefined
    if (store) undo.push(() => store.stop())
    const programs: Program[] = []
    for (let started = 0; started < (store ? 2 : 1); started += 1) {
      const program = await startIndexer({
        dataDir,
        rpcUrl: chain.url,
        databaseUrl: store?.url,
      })
      undo.push(() => program.stop())
      programs.push(program)
    }
    const watched = Array.from({ length: accountCount }, (_, index): Address =>
      numberToHex(0xfa_0000 + index, { size: 20 }),
    )
    const read = async (account: Address, cursor: string | null = null) => {
      const query = cursor === null ? '' : `&cursor=${cursor}`
      for (const { url } of programs) {
        const path = `/v1/account/${account}/history?chainId=${id}${query}`
        const response = await fetch(`${url}${path}`).catch(() => undefined)
        if (response?.ok) return (await response.json()) as Page
      }
      return undefined
    }
    const position = async () => (await read(watched[0]!))?.indexed?.to ?? 0
    for (const account of watched) await read(account)

    const load = createLoad(chain.url, watched, perSecond)
    undo.push(() => load.stop().catch(() => {}))
    let stalled = 0
    for (let kill = 0; kill < kills; kill += 1) {
      // Kills at a different moment each time, often between reading a block and storing it.
      await until(() => load.reorganizations() > kill, resumeLimitMs)
      await wait(loadMs * (0.5 + Math.random()))
      const program = programs[kill % programs.length]!
      const before = await position()
      await program.kill()
      await program.restart()
      const isGrowing = async () => (await position()) > before + reorgBlocks
      if ((await until(isGrowing, resumeLimitMs)) === undefined) stalled += 1
    }
    await load.stop()
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    await node.mine({ blocks: 1 })
    const head = Number(await node.request({ method: 'eth_blockNumber' } as never))
    const settledMs = await until(async () => {
      const page = await read(watched[0]!)
      return page?.indexed?.isComplete === true && page.indexed.to === head
    }, resumeLimitMs)

    let expected = 0
    const problems = { lost: 0, doubled: 0, orphaned: 0 }
    for (const account of watched) {
      const onChain = await findHistory(chain.url, account)
      const stored: string[] = []
      let cursor: string | null = null
      do {
        const page = await read(account, cursor)
        if (!page) throw new Error('The history cannot be read.')
        stored.push(...page.data.map((it) => it.id))
        cursor = page.next
      } while (cursor !== null)
      expected += onChain.length
      const set = new Set(stored)
      problems.lost += onChain.filter((hash) => !set.has(hash)).length
      problems.doubled += stored.length - set.size
      const valid = new Set<string>(onChain)
      problems.orphaned += [...set].filter((hash) => !valid.has(hash)).length
    }
    return {
      name: `indexer on ${storeKind} killed ${kills} times under ${perSecond} transactions/s`,
      findings: [
        { label: 'kills', value: kills, unit: '' },
        { label: 'blocks', value: head, unit: '' },
        { label: 'reorganizations', value: load.reorganizations(), unit: '' },
        { label: 'transactions on the chain', value: expected, unit: '' },
        { label: 'lost', value: problems.lost, unit: '', max: 0 },
        { label: 'doubled', value: problems.doubled, unit: '', max: 0 },
        { label: 'not on the chain', value: problems.orphaned, unit: '', max: 0 },
        { label: 'kills after which the index did not grow', value: stalled, unit: '', max: 0 },
        {
          label: 'until complete after the last kill',
          value: settledMs ?? Infinity,
          unit: 'ms',
          max: resumeLimitMs,
        },
      ],
    }
  } finally {
    for (let last = undo.pop(); last; last = undo.pop()) await last()
  }
}

type Page = {
  data: { id: string }[]
  next: string | null
  indexed?: { to: number; isComplete: boolean }
}

/** Sends payments and token transfers to the accounts in turn, and reorganizes the chain from time to time. */
function createLoad(url: string, to: readonly Address[], perSecond: number) {
  const node = createTestClient({ mode: 'anvil', transport: http(url) })
  const request = async (method: string, params: unknown[]) =>
    node.request({ method, params } as never)
  const stopping = new AbortController()
  let reorganizations = 0
  const [{ address: from }] = accounts

  async function run() {
    for (let sent = 1; !stopping.signal.aborted; sent += 1) {
      const account = to[sent % to.length]!
      const transfer = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [account, 1n],
      })
      const transaction =
        Math.floor(sent / to.length) % 2 === 0
          ? { from, to: account, value: '0x1' }
          : { from, to: addresses.usdc, data: transfer }
      const hash = await request('eth_sendTransaction', [transaction])
      if (sent % reorgEvery === 0) {
        // A reorganization while blocks are mined would leave anvil without some of them.
        await until(
          async () => (await request('eth_getTransactionReceipt', [hash])) !== null,
          10_000,
        )
        await request('anvil_reorg', [reorgBlocks, []])
        reorganizations += 1
      }
      await wait(1_000 / perSecond)
    }
  }

  const running = run()
  // `stop` reports an error; without it, the error of the failed run counts.
  running.catch(() => {})
  return {
    /** How many times the chain was reorganized so far. */
    reorganizations: () => reorganizations,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
