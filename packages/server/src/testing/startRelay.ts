import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { startServer } from '../main.ts'
import { openRelayClient, type RelayClient, type RelayClientOptions } from './openRelayClient.ts'

export type TestRelay = Awaited<ReturnType<typeof startRelay>>

/** Starts a server with a relay; stopping it also closes its clients. */
export async function startRelay(
  config: Partial<Config> = {},
  options: Parameters<typeof startServer>[1] = {},
) {
  const server = await startServer(
    {
      port: 0,
      logLevel: 'silent',
      rpcUrls: {},
      dataDir: ':memory:',
      shutdownSeconds: 1,
      ...config,
    },
    options,
  )
  const url = server.url.replace('http', 'ws')
  const clients: RelayClient[] = []
  return {
    ...server,
    httpUrl: server.url,
    url,
    async connect(clientOptions?: RelayClientOptions) {
      const client = await openRelayClient(url, clientOptions)
      clients.push(client)
      return client
    },
    async metric(name: string) {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      const line = text.split('\n').find((line) => line.startsWith(`${name} `))
      return line === undefined ? undefined : Number(line.slice(name.length + 1))
    },
    /** Stops the server while its clients are connected. */
    stopServer: () => server.stop(),
    async stop() {
      await Promise.all(clients.map((client) => client.drop()))
      await server.stop()
    },
  }
}

export function randomTopic() {
  return randomBytes(32).toString('hex')
}
