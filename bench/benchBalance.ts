import { addresses, chainData, startChain } from '@gatefold/chain'
import { startServer, type RunningServer } from '@gatefold/server'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  multicall3Abi,
  numberToHex,
} from 'viem'
import { getCode, setCode } from 'viem/actions'
import { startCountingProxy } from '../packages/server/src/testing/startCountingProxy.ts'

const id = 'eip155:31337'

/** Median and 99th percentile, in ms. */
type Times = { p50: number; p99: number }

export type BalanceBench = {
  /** The node's own time for the same reads, as one `eth_call`. */
  node: Times
  /** `GET /v1/account/{address}/balance` of an account that is not cached. */
  cold: Times
  /** The same for an account that is cached. */
  cached: Times
  /** Contract calls to the node for one account, after the pools of the chain are known. */
  calls: { cold: number; cached: number }
}

/**
 * Measures the balances of accounts on a chain with 50 tokens, beside the node's time for the same reads. The requests
 * alternate.
 *
 * @param options.accounts - how many accounts are read.
 */
export async function benchBalance(options: { accounts: number }): Promise<BalanceBench> {
  const chain = await startChain()
  const tokens = await addTokens(chain.url)
  const startWith = async (rpcUrl: string) =>
    startServer({
      port: 0,
      dataDir: ':memory:',
      logLevel: 'silent',
      ipBurst: 10_000_000,
      projectBurst: 10_000_000,
      rpcUrls: { [id]: [rpcUrl] },
      chains: { [id]: { ...chainData[id], tokens } },
    })
  const server = await startWith(chain.url)
  const balanceOf = async (account: string, { url } = server) =>
    get(`${url}/v1/account/${account}/balance?chainId=${id}`)
  const toData = (account: `0x${string}`) =>
    encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [
        tokens.map(({ address }) => ({
          target: address,
          allowFailure: true,
          callData: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [account],
          }),
        })),
      ],
    })
  const times: Record<'node' | 'cold' | 'cached', number[]> = { node: [], cold: [], cached: [] }
  try {
    for (let index = -warmUp; index < options.accounts; index++) {
      const account: `0x${string}` = `0x${(index + warmUp + 1).toString(16).padStart(40, '1')}`
      const data = toData(account)
      const params = [{ to: addresses.multicall3, data }, 'latest']
      const node = await time(() => post(chain.url, 'eth_call', params))
      const cold = await time(() => balanceOf(account))
      const cached = await time(() => balanceOf(account))
      if (index < 0) continue
      times.node.push(node)
      times.cold.push(cold)
      times.cached.push(cached)
    }
    const calls = await countCalls(chain.url, startWith, balanceOf)
    const { node, cold, cached } = times
    return { node: toTimes(node), cold: toTimes(cold), cached: toTimes(cached), calls }
  } finally {
    await server.stop()
    await chain.stop()
  }
}

/** Counts the contract calls for an account, and for the same account again. The indexer makes other calls. */
async function countCalls(
  url: string,
  startWith: (rpcUrl: string) => Promise<RunningServer>,
  balanceOf: (account: string, server: RunningServer) => Promise<void>,
): Promise<BalanceBench['calls']> {
  const proxy = await startCountingProxy(url)
  const server = await startWith(proxy.url)
  const countWhile = async (account: string) => {
    const begin = proxy.methods.length
    await balanceOf(account, server)
    return proxy.methods.slice(begin).filter((method) => method === 'eth_call').length
  }
  try {
    // Finds the pools, which requires calls once an hour.
    await balanceOf(numberToHex(1, { size: 20 }), server)
    const account = numberToHex(2, { size: 20 })
    return { cold: await countWhile(account), cached: await countWhile(account) }
  } finally {
    await server.stop()
    await proxy.stop()
  }
}

const warmUp = 50

/** The chain's tokens, and copies of one of them up to 50. */
async function addTokens(url: string) {
  const client = createTestClient({ mode: 'anvil', transport: http(url) })
  const bytecode = (await getCode(client, { address: addresses.book }))!
  const { tokens } = chainData[id]
  const copies = Array.from({ length: 50 - tokens.length }, (_, index) => ({
    address: `0xdead${String(index).padStart(36, '0')}` as const,
    name: `Token ${index}`,
    symbol: `T${index}`,
    decimals: 18,
  }))
  for (const { address } of copies) await setCode(client, { address, bytecode })
  return [...tokens, ...copies]
}

async function get(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} has the status ${response.status}`)
  await response.json()
}

async function post(url: string, method: string, params: unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { error } = (await response.json()) as { error?: unknown }
  if (error) throw new Error(JSON.stringify(error))
}

async function time(run: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

function toTimes(values: number[]): Times {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!
  return { p50: at(0.5), p99: at(0.99) }
}
