import type { Server } from 'node:http'
import {
  createServer,
  type AddressInfo,
  type ListenOptions,
  type Server as Acceptor,
} from 'node:net'

/**
 * Maximum number of connections that wait to be accepted, for example if all wallets reconnect at the same time.
 * Linux allows 4,096 by default.
 */
const backlog = 4_096

/**
 * Number of sockets that accept the connections of a port. In each iteration of the event loop, Node accepts one
 * connection per socket. On a busy loop, those of one socket would wait for many seconds behind those of an attacker.
 *
 * Used on Linux, which distributes the connections of a port among the sockets that share it.
 *
 * @see docs/adr/0031-several-sockets-accept.md
 */
const acceptors = 32
/** Whether sockets can share a port. */
const reusePort = process.platform === 'linux'

/** A port on which a server listens. */
export type Listening = {
  port: number
  /** Stops accepting connections. Resolves once all connections have closed. */
  close: () => Promise<void>
}

/**
 * Listens on a port or, if it is taken, on the first free one of the `morePorts` ports after it.
 *
 * @throws Error with the code `EADDRINUSE` if all of them are taken.
 */
export async function listen(
  server: Server,
  options: { host: string; port: number; morePorts: number },
): Promise<Listening> {
  const { host, port, morePorts } = options
  for (let offset = 0; ; offset += 1) {
    try {
      return await listenOn(server, host, port === 0 ? 0 : port + offset)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || offset >= morePorts) throw error
    }
  }
}

/** Listens with all acceptors on a port, or on any free port if it is 0. */
async function listenOn(server: Server, host: string, given: number): Promise<Listening> {
  // Several servers of a user could share a port with `reusePort`, so first find out whether it is free.
  if (given !== 0) await close(await open(createServer(), { host, port: given }))
  const options = { host, backlog, reusePort }
  await open(server, { ...options, port: given })
  const { port } = server.address() as AddressInfo
  const opened: Acceptor[] = [server]
  try {
    const more = reusePort ? acceptors - 1 : 0
    for (let count = 0; count < more; count += 1) {
      // With the options of an HTTP server.
      const acceptor = createServer({ allowHalfOpen: true, noDelay: true })
      acceptor.on('connection', (socket) => server.emit('connection', socket))
      opened.push(await open(acceptor, { ...options, port }))
    }
  } catch (error) {
    for (const acceptor of opened) acceptor.close()
    throw error
  }
  return {
    port,
    close: async () => void (await Promise.all(opened.map(close))),
  }
}

function open(acceptor: Acceptor, options: ListenOptions): Promise<Acceptor> {
  return new Promise((resolve, reject) => {
    acceptor.once('error', reject)
    acceptor.listen(options, () => {
      acceptor.off('error', reject)
      resolve(acceptor)
    })
  })
}

function close(acceptor: Acceptor): Promise<void> {
  return new Promise((resolve) => acceptor.close(() => resolve()))
}
