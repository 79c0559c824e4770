import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accounts, startChain } from '@gatefold/chain'
import { indexedChain as id, startIndexer } from '@gatefold/tests/indexer'
import type { Program } from '@gatefold/tests/program'
import { createTestClient, http, numberToHex, type Address } from 'viem'
import { watchAddress } from '../packages/server/src/storage/history.ts'
import { openStorage } from '../packages/server/src/storage/openStorage.ts'

/** Transactions per second while the lag is measured. */
const steadyRate = 20
const limitMs = 120_000

export type IndexerBench = {
  /** Blocks per second after a pause, with a transaction to an indexed account in each. Includes the start. */
  catchUp: number
  /** The most blocks that the index was behind the chain while a block was mined every second. */
  lag: number
  /** Resident memory of the process in MB, by the number of accounts. */
  memory: { accounts: number; megabytes: number }[]
}

/**
 * Measures the history indexer in a separate process, on SQLite.
 *
 * @param options.blocks - how many blocks are caught up.
 * @param options.accounts - numbers of indexed accounts, ascending. The lag is measured with the last one.
 * @param options.seconds - how long the lag is measured.
 */
export async function benchIndexer(options: {
  blocks: number
  accounts: readonly number[]
  seconds: number
}): Promise<IndexerBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-bench-'))
  const chain = await startChain()
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  const request = async (method: string, params: unknown[]) =>
    node.request({ method, params } as never)
  const head = async () => Number(await request('eth_blockNumber', []))
  const pay = async (index: number) =>
    request('eth_sendTransaction', [
      { from: accounts[0].address, to: accountAt(index % options.accounts[0]!), value: '0x1' },
    ])
  let program: Program | undefined
  try {
    const memory: IndexerBench['memory'] = []
    let catchUp = 0
    let lag = 0
    for (const count of options.accounts) {
      await watch(dataDir, count)
      const isFirst = count === options.accounts[0]
      const isLast = count === options.accounts.at(-1)
      program = await startIndexer({ dataDir, rpcUrl: chain.url })
      await until(async () => (await position(program!.url)) >= (await head()))
      if (isFirst) {
        await program.stop()
        await request('evm_setAutomine', [false])
        for (let sent = 0; sent < options.blocks; sent++) {
          await pay(sent)
          await request('evm_mine', [])
        }
        const target = await head()
        const begin = performance.now()
        program = await startIndexer({ dataDir, rpcUrl: chain.url })
        await until(async () => (await position(program!.url)) >= target)
        catchUp = options.blocks / ((performance.now() - begin) / 1_000)
      }
      if (isLast) {
        await request('evm_setIntervalMining', [1])
        const end = performance.now() + options.seconds * 1_000
        for (let sent = 0; performance.now() < end; sent++) {
          await pay(sent)
          lag = Math.max(lag, (await head()) - (await position(program.url)))
          await wait(1_000 / steadyRate)
        }
      }
      memory.push({ accounts: count, megabytes: await readMemory(program.pid) })
      await program.stop()
    }
    return { catchUp, lag, memory }
  } finally {
    await program?.stop()
    await chain.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function accountAt(index: number): Address {
  return numberToHex(0xfa_0000 + index, { size: 20 })
}

/** Watches accounts in the database, because one client may not add thousands. */
async function watch(dataDir: string, count: number) {
  const storage = await openStorage({ dataDir })
  for (let index = 0; index < count; index++)
    await watchAddress(storage.db, {
      chain: id,
      address: accountAt(index),
      now: Date.now(),
      maxWatches: count,
    })
  await storage.close()
}

/** The last block that is indexed. */
async function position(url: string): Promise<number> {
  const response = await fetch(`${url}/v1/account/${accountAt(0)}/history?chainId=${id}`)
  if (!response.ok) throw new Error(`The history has the status ${response.status}.`)
  const { indexed } = (await response.json()) as { indexed?: { to: number; isComplete: boolean } }
  return indexed?.isComplete ? indexed.to : 0
}

async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
}

async function until(condition: () => Promise<boolean>) {
  const deadline = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The indexer does not reach the last block.')
    await wait(20)
  }
}
