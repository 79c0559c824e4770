import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { readConfig, type Config } from './config.ts'
import { createContext, type Context, type ContextOptions } from './context.ts'
import { answerBrokenRequest } from './http/answerBrokenRequest.ts'
import { createApp } from './http/createApp.ts'
import { limitIdleConnections } from './http/limitIdleConnections.ts'
import { limitMemory } from './http/limitMemory.ts'
import { limitUrls } from './http/limitUrls.ts'
import { listen, type Listening } from './http/listen.ts'
import { createMonitor } from './http/monitor.ts'
import type { ListenerName } from './http/Role.ts'
import { takeTurns } from './http/takeTurns.ts'
import { createInbox } from './mail/createInbox.ts'
import { closeRoles, selectListener, selectRoles, startRoles } from './roles.ts'

export type RunningServer = {
  /** Base URL, without a path. */
  url: string
  port: number
  /** Base URL of the secure frame's listener; `undefined` if the role `frame` does not run in this process. */
  frameUrl: string | undefined
  /** Waits up to `shutdownSeconds` for requests in progress, then closes every handle. Can be called twice. */
  stop(): Promise<void>
}

/** How long a connection may take to send its request headers, and how often this is checked, in ms. */
const headersTimeout = 10_000
const connectionsCheckingInterval = 5_000

/** How many ports after the configured one are tried if it is taken and its listener is movable. */
const portsToTry = 20

/**
 * Starts the configured roles in this process.
 *
 * @param config - overrides the defaults of {@link readConfig}; with port 0, any free port is used. With `port`, but without
 *   `framePort`, the frame uses any free port.
 * @param options.relayTiming, options.rpcTiming - shorter waits for tests.
 * @param options.movable - listeners that may use the next free port if theirs is taken.
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
  options: ContextOptions & { movable?: readonly ListenerName[] } = {},
): Promise<RunningServer> {
  const complete: Config = {
    ...readConfig(),
    ...(config.port !== undefined && { framePort: 0 }),
    ...config,
  }
  const names = selectRoles(complete.roles)
  const context = await createContext(complete, options)
  const { log, mailer, redis, storage } = context
  const closeStores = async () => {
    redis?.close()
    await storage.close()
  }
  const running = await startRoles(names, context).catch(async (error: unknown) => {
    await closeStores()
    throw error
  })
  const own = [
    createMonitor(context, [...running.values()]),
    ...(mailer.sink && running.has('frame') ? [createInbox(mailer.sink)] : []),
  ]
  const main = createListener(context, { ...selectListener(running, 'main'), own })
  const frame = running.has('frame')
    ? createListener(context, selectListener(running, 'frame'))
    : undefined
  const servers = [main, ...(frame ? [frame] : [])].map(({ server }) => server)
  const listening: Listening[] = []

  const { host } = complete
  const morePorts = (name: ListenerName) => (options.movable?.includes(name) ? portsToTry : 0)
  async function start(server: Server, name: ListenerName, port: number) {
    const opened = await listen(server, { host, port, morePorts: morePorts(name) })
    listening.push(opened)
    return opened.port
  }
  async function startAll() {
    const port = await start(main.server, 'main', complete.port)
    const framePort = frame && (await start(frame.server, 'frame', complete.framePort))
    return { port, framePort }
  }
  const { port, framePort } = await startAll().catch(async (error: unknown) => {
    for (const opened of listening) void opened.close()
    await closeRoles(running, 0)
    await closeStores()
    throw error
  })
  const isThisMachine = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)
  const urlOf = (number: number) => `http://${isThisMachine ? 'localhost' : host}:${number}`
  const frameUrl = framePort === undefined ? undefined : urlOf(framePort)
  for (const role of main.roles) role.onListening?.(urlOf(port))
  if (frame && frameUrl) for (const role of frame.roles) role.onListening?.(frameUrl)
  log.info({ port, framePort, host, roles: names, database: storage.engine }, 'listening')

  let stopping: Promise<void> | undefined
  async function stop() {
    const closed = listening.map((opened) => opened.close())
    for (const server of servers) server.closeIdleConnections()
    const graceMs = complete.shutdownSeconds * 1000
    const cut = setTimeout(() => {
      for (const server of servers) server.closeAllConnections()
    }, graceMs)
    // `server.close` waits for upgraded sockets too, and only their role can close them.
    await closeRoles(running, graceMs)
    await Promise.all(closed)
    clearTimeout(cut)
    await mailer.close(graceMs)
    await closeStores()
    log.info('stopped')
  }
  return { url: urlOf(port), port, frameUrl, stop: () => (stopping ??= stop()) }
}

/** Creates the HTTP server of a listener, with the guards that all of its requests pass. */
function createListener(context: Context, options: Parameters<typeof createApp>[1]) {
  const app = createApp(context, options)
  const server: Server = createAdaptorServer({
    fetch: takeTurns(context, limitUrls(limitMemory(context, app.fetch))),
    // Lists of wallet ids make long URLs (see `limitUrls`).
    serverOptions: {
      maxHeaderSize: 128 * 1024,
      headersTimeout,
      requestTimeout: 30_000,
      connectionsCheckingInterval,
      // Clients that offer HTTP/2 with `Upgrade: h2c` get a response over HTTP/1.
      shouldUpgradeCallback: ({ headers }) =>
        server.listenerCount('upgrade') > 0 && headers.upgrade?.toLowerCase() === 'websocket',
    },
  }) as Server
  server.on('clientError', answerBrokenRequest)
  const roles = [...options.running.values()]
  for (const role of roles) if (role.upgrade) server.on('upgrade', role.upgrade)
  limitIdleConnections(server)
  return { server, roles }
}
