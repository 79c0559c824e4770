import { startServer, type Config } from '@gatefold/server'
import { afterAll, beforeAll } from 'vitest'
import { openClient, type Client, type ClientOptions, type Version } from './clients.ts'

/** Registers a cleanup, like vitest's `onTestFinished`. */
export type OnFinished = (end: () => Promise<void>) => void

/** Runs the relay in this process and in memory for a file's tests. */
export function useRelay(config: Partial<Config> = {}) {
  let server: Awaited<ReturnType<typeof startServer>>
  const relay = {
    /** `relayUrl` of the clients. */
    url: '',
    httpUrl: '',
    port: 0,
    open,
    /** Opens an app and a wallet. Both are closed after the test. */
    async openBoth(
      versions: { app: Version; wallet: Version },
      onFinished: OnFinished,
      options: Partial<ClientOptions> = {},
    ): Promise<{ app: Client; wallet: Client }> {
      const [app, wallet] = await Promise.all([
        open(versions.app, onFinished, { name: 'App', ...options }),
        open(versions.wallet, onFinished, { name: 'Wallet', ...options }),
      ])
      return { app, wallet }
    },
  }
  async function open(
    version: Version,
    onFinished: OnFinished,
    options: Partial<ClientOptions> = {},
  ) {
    const { url: relayUrl, httpUrl: verifyUrl } = relay
    const client = await openClient(version, { relayUrl, verifyUrl, ...options })
    onFinished(() => client.close())
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
