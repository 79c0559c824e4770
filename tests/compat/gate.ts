import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy between a client and the relay. Tests can interrupt its connections. */
export type Gate = {
  url: string
  /** Resets all connections and rejects new ones. */
  cut(): void
  /** Stops forwarding without closing connections, like a phone in a tunnel. */
  freeze(): void
  /** Resets all connections, such as frozen ones, and forwards new connections again. */
  open(): void
  /** Resolves when the next connection is rejected. */
  rejected(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a gate in front of a local port.
 *
 * @param options.origin - added as `Origin` header, as a browser does
 */
export async function openGate(port: number, options: { origin?: string } = {}): Promise<Gate> {
  const connections = new Set<{ client: Socket; relay: Socket }>()
  let isCut = false
  const onRejected: (() => void)[] = []
  const server = createServer((client) => {
    client.on('error', () => {})
    if (isCut) {
      client.resetAndDestroy()
      for (const retry of onRejected.splice(0)) retry()
      return
    }
    const relay = connect(port, 'localhost')
    relay.on('error', () => {})
    const connection = { client, relay }
    connections.add(connection)
    if (options.origin === undefined) client.pipe(relay)
    else
      client.once('data', (head) => {
        relay.write(head.toString().replace('\r\n', `\r\nOrigin: ${options.origin}\r\n`))
        client.pipe(relay)
      })
    relay.pipe(client)
    const end = () => {
      connections.delete(connection)
      client.destroy()
      relay.destroy()
    }
    client.on('close', end)
    relay.on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endAll = () => {
    for (const { client, relay } of connections) {
      client.resetAndDestroy()
      relay.destroy()
    }
  }
  return {
    url: `ws://localhost:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      endAll()
    },
    freeze() {
      for (const { client, relay } of connections) {
        client.unpipe(relay)
        relay.unpipe(client)
        client.pause()
        relay.pause()
      }
    },
    open() {
      isCut = false
      endAll()
    },
    rejected: () => new Promise((resolve) => onRejected.push(resolve)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endAll()
      }),
  }
}
