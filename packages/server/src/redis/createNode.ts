import { createClient, type RedisClientOptions } from '@redis/client'
import { connectTimeoutMs } from './findPrimaries.ts'

export type RedisClient = ReturnType<typeof createRedisClient>

/** A Redis server with its connections, which reconnect. While they are disconnected, commands fail. */
export type RedisNode = {
  url: string
  /** For writes that are followed by `WAIT`, which blocks its connection. */
  writer: RedisClient
  /** For all other commands. */
  reader: RedisClient
  close(): void
}

/** A connection on which Redis does not reply for this long, in ms, is replaced. */
const silenceMs = 10_000
const longestPauseMs = 1_000

/**
 * Creates a client that rejects commands while it is disconnected. When it disconnects, it also rejects the
 * commands in flight.
 */
export function createRedisClient(
  url: string,
  reconnectStrategy: NonNullable<RedisClientOptions['socket']>['reconnectStrategy'],
) {
  return createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: silenceMs / 3,
    // A time limit for each command would need a timer for each; `socketTimeout` covers all of them.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: connectTimeoutMs, socketTimeout: silenceMs, reconnectStrategy },
  })
}

/**
 * Connects to a server.
 *
 * @param options.onDown - called when a connection fails or ends.
 * @returns the node, and a promise for the first attempt to connect.
 */
export function createNode(options: { url: string; onDown: () => void }): {
  node: RedisNode
  connected: Promise<void>
} {
  const { url, onDown } = options
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>()
  const reconnectStrategy = (retries: number, cause: Error) => {
    reject(cause)
    return Math.min(50 * 2 ** retries, longestPauseMs)
  }
  const clients = [0, 1].map(() => {
    const client = createRedisClient(url, reconnectStrategy)
    client.on('error', onDown)
    return client
  }) as [RedisClient, RedisClient]
  Promise.all(clients.map((client) => client.connect())).then(() => resolve(), reject)
  const [writer, reader] = clients
  const close = () => {
    for (const client of clients) client.destroy()
  }
  return { node: { url, writer, reader, close }, connected }
}
