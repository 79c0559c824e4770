import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from '@gatefold/server'
import { createAdaptorServer } from '@hono/node-server'
import autocannon from 'autocannon'
import { Hono } from 'hono'

export type GatewayBench = {
  /** Requests per second of a bare route, median. */
  bare: number
  /** Requests per second of `GET /getWallets`, median. */
  getWallets: number
  /** `getWallets / bare`; at least 0.6 is required. */
  ratio: number
}

/** The first page of wallets, with the query that official clients send. */
const path =
  '/getWallets?projectId=default&st=appkit&sv=html-wagmi-1.7.15&page=1&entries=40&chains=eip155%3A1%2Ceip155%3A137'

/**
 * Compares `GET /getWallets` with a bare route that uses the same HTTP library and sends the same
 * body. Both run in the same process under the same load. The runs alternate, and the results
 * are medians.
 *
 * @param options.seconds - duration of one run.
 * @param options.rounds - runs per route.
 */
export async function benchGateway(options: {
  seconds: number
  rounds?: number
}): Promise<GatewayBench> {
  const { seconds, rounds = 5 } = options
  const unlimited = {
    ipRate: 1_000_000,
    ipBurst: 10_000_000,
    projectRate: 1_000_000,
    projectBurst: 10_000_000,
  }
  const gateway = await startServer({
    port: 0,
    dataDir: ':memory:',
    rpcUrls: {},
    logLevel: 'silent',
    ...unlimited,
  })
  const body = await (await fetch(gateway.url + path)).text()
  const bare = await startBare(body)
  const rates: Record<'bare' | 'getWallets', number[]> = { bare: [], getWallets: [] }
  const run = async (url: string, duration: number) => {
    const result = await autocannon({ url, connections: 50, duration })
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${result.non2xx + result.errors} requests failed`)
    return result.requests.average
  }
  try {
    await run(`${bare.url}/bare`, 1)
    await run(gateway.url + path, 1)
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push(await run(`${bare.url}/bare`, seconds))
      rates.getWallets.push(await run(gateway.url + path, seconds))
    }
  } finally {
    await Promise.all([gateway.stop(), bare.stop()])
  }
  const medians = { bare: median(rates.bare), getWallets: median(rates.getWallets) }
  return { ...medians, ratio: medians.getWallets / medians.bare }
}

/** Starts a bare server of the same HTTP library that returns `body` at `/bare`. */
export async function startBare(body: string) {
  const app = new Hono()
  app.get('/bare', () => new Response(body, { headers: { 'content-type': 'application/json' } }))
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
