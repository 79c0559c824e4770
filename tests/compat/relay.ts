import { startServer, type Config } from '@gatefold/server'
import { afterAll, beforeAll } from 'vitest'
import { openClient, type Client, type ClientOptions, type Version } from './clients.ts'

/** Told of what a test leaves behind. */
export type Leave = (end: () => Promise<void>) => void

/** A relay of ours for a file's tests, in this process and in memory. */
export function useRelay(config: Partial<Config> = {}) {
  let server: Awaited<ReturnType<typeof startServer>>
  const relay = {
    /** As the clients know it. */
    url: '',
    httpUrl: '',
    port: 0,
    open,
    /** Opens an app and a wallet; they end with the test. */
    async openBoth(
      versions: { app: Version; wallet: Version },
      leave: Leave,
      options: Partial<ClientOptions> = {},
    ): Promise<{ app: Client; wallet: Client }> {
      const [app, wallet] = await Promise.all([
        open(versions.app, leave, { name: 'App', ...options }),
        open(versions.wallet, leave, { name: 'Wallet', ...options }),
      ])
      return { app, wallet }
    },
  }
  async function open(version: Version, leave: Leave, options: Partial<ClientOptions> = {}) {
    const { url: relayUrl, httpUrl: verifyUrl } = relay
    const client = await openClient(version, { relayUrl, verifyUrl, ...options })
    leave(() => client.close())
    return client
  }
  beforeAll(async () => {
    server = await startServer({
      roles: ['relay'],
      port: 0,
      dataDir: ':memory:',
      rpcUrls: {},
      logLevel: 'silent',
      shutdownSeconds: 1,
      ...config,
    })
    relay.port = server.port
    relay.url = `ws://localhost:${server.port}`
    relay.httpUrl = `http://localhost:${server.port}`
  })
  afterAll(() => server.stop())
  return relay
}
