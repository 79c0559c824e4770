import { fileURLToPath } from 'node:url'
import { accounts, startChain } from '@gatefold/chain'
import { freePort, startProgram } from '@gatefold/tests/program'
import { startGateway } from './startGateway.ts'
import { alternate, type Load } from './runLoad.ts'

/** Numbers of calls in a request. 1 is a call outside a batch. */
const sizes = [1, 10, 100] as const
const id = 'eip155:31337'

export type RpcBench = {
  /** Calls in a request; 1 is a call outside a batch. */
  calls: number
  /** Medians of the node itself, of a plain proxy in front of it, and of the gateway's proxy. */
  node: Load
  plain: Load
  gateway: Load
  /** The gateway's rate divided by that of the plain proxy, median of the rounds; at least 0.7 is required. */
  ratio: number
  /** The gateway's CPU time for a request divided by that of the plain proxy, median of the rounds. */
  cpuRatio: number | undefined
}[]

/**
 * Compares the JSON-RPC proxy with a plain Node.js proxy and with the node
 * itself. Each is a separate process and gets the same requests. The runs
 * alternate.
 *
 * @param options.seconds - duration of one run.
 * @param options.rounds - number of runs of each.
 */
export async function benchRpc(options: { seconds: number; rounds: number }): Promise<RpcBench> {
  const { seconds, rounds } = options
  const undo: (() => Promise<unknown>)[] = []
  try {
    const chain = await startChain()
    undo.push(() => chain.stop())
    const gateway = await startGateway({ roles: 'gateway', rpcUrl: chain.url })
    undo.push(() => gateway.stop())
    const port = await freePort()
    const plain = await startProgram({
      name: 'plain proxy',
      args: [fileURLToPath(new URL('./plainProxy.ts', import.meta.url))],
      port,
      env: { PORT: `${port}`, UPSTREAM: chain.url },
      health: '/',
    })
    undo.push(() => plain.stop())
    const urls = {
      node: chain.url,
      plain: `http://127.0.0.1:${port}`,
      gateway: `http://127.0.0.1:${gateway.port}/v1?chainId=${id}&projectId=default`,
    }
    const pids = { plain: plain.pid, gateway: gateway.pid }
    const results: RpcBench = []
    for (const calls of sizes) {
      const body = JSON.stringify(toBody(calls))
      const { loads, ratio, cpuRatio } = await alternate({ urls, body, seconds, rounds, pids })
      results.push({
        calls,
        ...loads,
        ratio: ratio('gateway', 'plain'),
        cpuRatio: cpuRatio('gateway', 'plain'),
      })
    }
    return results
  } finally {
    for (let last = undo.pop(); last; last = undo.pop()) await last()
  }
}

/**
 * The cheapest read of an account, so that the node's time masks as little as
 * possible of the proxies' time.
 */
function toBody(calls: number) {
  const requests = Array.from({ length: calls }, (_, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method: 'eth_getBalance',
    params: [accounts[index % accounts.length]!.address, 'latest'],
  }))
  return calls === 1 ? requests[0] : requests
}
