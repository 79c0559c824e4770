import { readConfig, type Config } from '../config.ts'
import { createContext, type ContextOptions } from '../context.ts'
import { createApp } from '../http/createApp.ts'
import { createMonitor } from '../http/monitor.ts'
import { closeRoles, selectListener, startRoles } from '../roles.ts'

export type TestServer = Awaited<ReturnType<typeof createTestServer>>
export type TestGateway = TestServer

/** Creates the real gateway without a port. @see createTestServer */
export async function createTestGateway(config?: Partial<Config>, options?: ContextOptions) {
  return createTestServer(['gateway'], config, options)
}

/** Creates real roles without a port: requests are passed directly to the app. */
export async function createTestServer(
  roles: readonly string[],
  config: Partial<Config> = {},
  options: ContextOptions = {},
) {
  const context = await createContext(
    { ...readConfig(), logLevel: 'silent', dataDir: ':memory:', rpcUrls: {}, ...config },
    options,
  )
  const running = await startRoles(roles, context)
  const app = createApp(context, {
    ...selectListener(running, 'main'),
    own: [createMonitor(context, [...running.values()])],
  })
  const send = async (path: string, init?: RequestInit & { address?: string }) => {
    const { address = '192.0.2.1', ...rest } = init ?? {}
    return app.request(path, rest, { incoming: { socket: { remoteAddress: address } } })
  }
  return {
    context,
    send,
    /** Sends a request. @returns the status, the headers and the parsed body. */
    async json(path: string, init?: RequestInit & { address?: string }) {
      const response = await send(path, init)
      return {
        status: response.status,
        body: (await response.json()) as never,
        headers: response.headers,
      }
    },
    async stop() {
      await closeRoles(running, 0)
      await context.storage.close()
    },
  }
}
