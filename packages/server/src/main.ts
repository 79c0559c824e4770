import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { readConfig, type Config } from './config.ts'
import { createContext, type ContextOptions } from './context.ts'
import { answerBrokenRequest } from './http/answerBrokenRequest.ts'
import { createApp } from './http/createApp.ts'
import { limitIdleConnections } from './http/limitIdleConnections.ts'
import { limitMemory } from './http/limitMemory.ts'
import { listen } from './http/listen.ts'
import { takeTurns } from './http/takeTurns.ts'
import { closeRoles, rolePaths, selectRoles, startRoles } from './roles.ts'

export type RunningServer = {
  /** Base URL, without a path. */
  url: string
  port: number
  /** Waits up to `shutdownSeconds` for requests in progress, then closes every handle. Can be called twice. */
  stop(): Promise<void>
}

/** How long a connection may take to send its request headers, and how often this is checked, in ms. */
const headersTimeout = 10_000
const connectionsCheckingInterval = 5_000

/** How many ports after the configured one are tried if it is taken and `isPortFree` is true. */
const portsToTry = 20

/**
 * Starts the configured roles in this process.
 *
 * @param config - overrides the defaults of {@link readConfig}; with port 0, any free port is used.
 * @param options.relayTiming, options.rpcTiming - shorter waits for tests.
 * @param options.isPortFree - whether the next free port may be used if the port is taken.
 * @throws {ConfigError} for a role that does not exist.
 * @throws {StorageError} if the database cannot be used.
 * @throws {RedisUnavailableError} if Redis is configured but cannot be used.
 * @example
 * const server = await startServer({ port: 0, dataDir: ':memory:', rpcUrls: { 'eip155:31337': [url] } })
 * await fetch(`${server.url}/health`)
 * await server.stop()
 */
export async function startServer(
  config: Partial<Config> = {},
  options: ContextOptions & { isPortFree?: boolean } = {},
): Promise<RunningServer> {
  const complete: Config = { ...readConfig(), ...config }
  const names = selectRoles(complete.roles)
  const context = await createContext(complete, options)
  const { log, redis, storage } = context
  const closeStores = async () => {
    redis?.close()
    await storage.close()
  }
  const running = await startRoles(names, context).catch(async (error: unknown) => {
    await closeStores()
    throw error
  })
  const app = createApp(context, { running, paths: rolePaths })
  const server = createAdaptorServer({
    fetch: takeTurns(context, limitMemory(context, app.fetch)),
    // Lists of wallet ids make long URLs: 1,000 ids are 65 KB.
    serverOptions: {
      maxHeaderSize: 128 * 1024,
      headersTimeout,
      requestTimeout: 30_000,
      connectionsCheckingInterval,
    },
  }) as Server
  server.on('clientError', answerBrokenRequest)
  for (const role of running.values()) if (role.upgrade) server.on('upgrade', role.upgrade)
  limitIdleConnections(server)

  const { host } = complete
  const morePorts = options.isPortFree ? portsToTry : 0
  const port = await listen(server, { host, port: complete.port, morePorts }).catch(
    async (error: unknown) => {
      await closeRoles(running, 0)
      await closeStores()
      throw error
    },
  )
  for (const role of running.values()) role.onListening?.()
  log.info({ port, host, roles: names, database: storage.engine }, 'listening')

  let stopping: Promise<void> | undefined
  async function stop() {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const graceMs = complete.shutdownSeconds * 1000
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    // `server.close` waits for upgraded sockets too, and only their role can close them.
    await closeRoles(running, graceMs)
    await closed
    clearTimeout(cut)
    await closeStores()
    log.info('stopped')
  }
  const isThisMachine = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)
  return {
    url: `http://${isThisMachine ? 'localhost' : host}:${port}`,
    port,
    stop: () => (stopping ??= stop()),
  }
}
