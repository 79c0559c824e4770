import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum connections without a running request from which the server has read bytes. */
export const maxIdleConnections = 2_000
/**
 * Maximum connections without a running request, including those from which the server has not read a byte. If all
 * wallets reconnect at the same time, thousands of connections are accepted before their requests are read.
 */
export const maxUnreadConnections = 6_000
/** How often the first limit is checked while it may be exceeded, in ms. */
const checkMs = 100

/**
 * Limits the connections without a running request, which a client can open without credentials. Above a limit, the
 * connections that have waited longest are closed, so that new clients are served however many half-open
 * connections there are. Upgraded sockets do not count.
 *
 * Call this after the listeners for upgrades were added.
 *
 * @see docs/threats.md#slow-sender
 */
export function limitIdleConnections(
  server: Server,
  { max = maxIdleConnections, maxUnread = maxUnreadConnections } = {},
): void {
  const idle = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  const add = (socket: Socket) => {
    idle.add(socket)
    const [oldest] = idle
    if (idle.size > maxUnread) oldest?.destroy()
    if (idle.size > max) timer ??= setTimeout(check, checkMs).unref()
  }
  function check() {
    timer = undefined
    const read = [...idle].filter(({ bytesRead }) => bytesRead > 0)
    for (const socket of read.slice(0, -max)) socket.destroy()
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
