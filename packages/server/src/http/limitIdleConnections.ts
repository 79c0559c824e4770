import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that wait for a complete request header; the oldest ones give way to new ones. */
export const maxIdleConnections = 2_000

/**
 * Bounds the connections without a running request, which cost a client nothing: it needs no key and no
 * byte. A connection above the limit closes the one that has waited longest, so that new clients are
 * served however many half-open connections there are. Upgraded sockets do not count.
 *
 * Call after the listeners for upgrades are added.
 *
 * @see docs/threats.md#slow-sender
 */
export function limitIdleConnections(server: Server, max: number = maxIdleConnections): void {
  const idle = new Set<Socket>()
  const add = (socket: Socket) => {
    idle.add(socket)
    const [oldest] = idle
    if (idle.size > max) oldest?.destroy()
  }
  server.on('connection', (socket: Socket) => {
    add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  // With a listener, Node stops answering upgrades as requests.
  if (server.listenerCount('upgrade') > 0) server.on('upgrade', ({ socket }) => idle.delete(socket))
  server.on('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) add(socket)
    })
  })
}
