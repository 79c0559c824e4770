import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { readConfig, type Config } from './config.ts'
import { createContext, type Context, type ContextOptions } from './context.ts'
import { createGatewayApp } from './gateway/app.ts'
import { everyAnswer } from './gateway/answer.ts'
import { createRelay, type Relay } from './relay/createRelay.ts'
import type { RelayTiming } from './relay/timing.ts'
import { deleteEventsBefore } from './storage/events.ts'
import { deleteWatchesBefore } from './storage/relayWatches.ts'
import { createVerify } from './verify/createVerify.ts'

export type RunningServer = {
  /** Base URL, without a path. */
  url: string
  port: number
  /** Finishes running requests, then closes every handle. Safe to call twice. */
  stop(): Promise<void>
}

const probeEveryMs = 5 * 60_000
const cleanEveryMs = 24 * 60 * 60_000
const dayMs = 24 * 60 * 60_000
/** How many ports after the usual one are tried when it is taken. */
const portsToTry = 20

/**
 * Starts the servers of the configured roles in this process.
 *
 * @param config - what differs from the defaults of {@link readConfig}; port 0 takes any free one.
 * @param options.relayTiming - shorter waits for tests.
 * @param options.isPortFree - whether the next free port will do when the port is taken.
 * @throws {StorageError} when the database cannot be used.
 * @example
 * const server = await startServer({ port: 0, dataDir: ':memory:', rpcUrls: { 'eip155:31337': [url] } })
 * await fetch(`${server.url}/health`)
 * await server.stop()
 */
export async function startServer(
  config: Partial<Config> = {},
  options: ContextOptions & { isPortFree?: boolean; relayTiming?: RelayTiming } = {},
): Promise<RunningServer> {
  const complete: Config = { ...readConfig(), ...config }
  const context = await createContext(complete, options)
  const { log, storage, chains, now } = context
  const relay = complete.roles.includes('relay')
    ? await startRelay(context, options.relayTiming)
    : undefined
  const verify = complete.roles.includes('verify') ? [createVerify(context)] : []
  const app = createGatewayApp(context, relay ? [relay, ...verify] : verify)
  const server = createAdaptorServer({
    fetch: app.fetch,
    // Lists of wallet ids make long URLs: 1,000 ids are 65 KB.
    serverOptions: { maxHeaderSize: 128 * 1024, headersTimeout: 15_000, requestTimeout: 30_000 },
  }) as Server
  server.on('clientError', answerBrokenRequest)
  if (relay) server.on('upgrade', relay.upgrade)

  try {
    await listen(server, complete, options.isPortFree ? portsToTry : 0)
  } catch (error) {
    verify.forEach((part) => part.close())
    await relay?.close(0)
    await storage.close()
    throw error
  }
  const { port } = server.address() as AddressInfo

  const probe = () => void Promise.all([...chains.values()].map((chain) => chain.probe()))
  const clean = () =>
    void Promise.all([
      deleteEventsBefore(storage.db, now() - complete.analyticsDays * dayMs),
      deleteWatchesBefore(storage.db, now()),
    ]).catch((error: unknown) => log.warn({ err: error }, 'what is over could not be deleted'))
  probe()
  clean()
  const timers = [setInterval(probe, probeEveryMs), setInterval(clean, cleanEveryMs)]

  const host = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(complete.host)
    ? 'localhost'
    : complete.host
  const url = `http://${host}:${port}`
  log.info(
    { port, host: complete.host, roles: complete.roles, database: storage.engine },
    'listening',
  )

  let stopping: Promise<void> | undefined
  async function stop() {
    timers.forEach(clearInterval)
    verify.forEach((part) => part.close())
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const graceMs = complete.shutdownSeconds * 1000
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    // Sockets are not the HTTP server's any more, but it waits for them.
    await relay?.close(graceMs)
    await closed
    clearTimeout(cut)
    await storage.close()
    log.info('stopped')
  }
  return { url, port, stop: () => (stopping ??= stop()) }
}

/** A relay that cannot start leaves nothing open. */
async function startRelay(context: Context, timing?: RelayTiming): Promise<Relay> {
  try {
    return await createRelay(context, timing)
  } catch (error) {
    await context.storage.close()
    throw error
  }
}

/** Connections that may wait to be taken, as when every wallet comes back at once; Linux allows no more. */
const backlog = 4_096

async function listen(server: Server, { host, port }: Config, morePorts: number) {
  for (let offset = 0; ; offset += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port: port + offset, host, backlog }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || offset >= morePorts) throw error
    }
  }
}

/** What Node cannot parse never reaches the app; it is answered in the same shape. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, field] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'body']
        : ['400 Bad Request', 'request']
  const body = JSON.stringify({
    status: 'FAILED',
    reasons: [{ field, description: 'this is not a request the server can read' }],
  })
  const headers = Object.entries({
    ...everyAnswer,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}\r\n${body}`)
}
