import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum connections without a running request. */
export const maxIdleConnections = 2_000

/**
 * Limits the connections without a running request, which a client can open without credentials and
 * without sending a byte. Above the limit, a new connection closes the one that has waited longest, so that new
 * clients are served however many half-open connections there are. Upgraded sockets do not count.
 *
 * Call this after the listeners for upgrades were added.
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
  // Node handles upgrades as requests unless there is an upgrade listener, so this must not add the first one.
  if (server.listenerCount('upgrade') > 0) server.on('upgrade', ({ socket }) => idle.delete(socket))
  server.on('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) add(socket)
    })
  })
}
