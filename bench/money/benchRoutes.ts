import { accounts, addresses, startChain } from '@gatefold/chain'
import { startBare } from '../benchGateway.ts'
import { startCountingProxy } from '../../packages/server/src/testing/startCountingProxy.ts'
import { alternate, type Load } from './runLoad.ts'
import { startGateway } from './startGateway.ts'

const id = 'eip155:31337'
const [mira] = accounts
const ether = `${id}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`

const paths = {
  'balance, cached': `/v1/account/${mira.address}/balance?chainId=${id}`,
  history: `/v1/account/${mira.address}/history?chainId=${id}`,
  quotes: `/v1/convert/quotes?from=${ether}&to=${id}:${addresses.usdc}&amount=1000000000000000&userAddress=${mira.address}`,
}

export type RoutesBench = {
  name: keyof typeof paths
  /** A route of the same HTTP library that returns the same response. */
  bare: Load
  gateway: Load
  /** The node, called directly with the contract call of the request, if the request makes one. */
  node?: Load
}[]

/**
 * Compares routes of accounts with bare routes that return the same responses and, for quotes, with the same call sent
 * directly to the node. The gateway and the node are separate processes. The runs alternate.
 *
 * @param options.seconds - duration of one run.
 * @param options.rounds - number of runs of each route.
 */
export async function benchRoutes(options: {
  seconds: number
  rounds: number
}): Promise<RoutesBench> {
  const chain = await startChain()
  const proxy = await startCountingProxy(chain.url)
  const gateway = await startGateway({ roles: 'gateway,money', rpcUrl: chain.url })
  const traced = await startGateway({ roles: 'money', rpcUrl: proxy.url })
  try {
    const results: RoutesBench = []
    for (const [name, path] of Object.entries(paths)) {
      const response = await read(gateway.url + path)
      const bare = await startBare(response)
      // The second request makes only the calls that every request makes; the
      // first also fills caches.
      await read(traced.url + path)
      const begin = proxy.calls.length
      await read(traced.url + path)
      const calls = proxy.calls.slice(begin).filter(({ method }) => method === 'eth_call')
      const urls = { bare: `${bare.url}/bare`, gateway: gateway.url + path }
      const { loads } = await alternate({ urls, ...options })
      const own = calls.length === 1 && { body: JSON.stringify(calls[0]) }
      const node =
        own && (await alternate({ urls: { node: chain.url }, ...own, ...options })).loads.node
      results.push({ name: name as keyof typeof paths, ...loads, ...(node && { node }) })
      await bare.stop()
    }
    return results
  } finally {
    await traced.stop()
    await gateway.stop()
    await proxy.stop()
    await chain.stop()
  }
}

async function read(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} has the status ${response.status}.`)
  return response.text()
}
