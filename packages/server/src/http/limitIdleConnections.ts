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
  /**
   * When each connection became idle, as a count; 0 while a request runs. A request changes a value in place: entries that
   * are removed and added again for each request make V8 keep the memory of finished requests until a full garbage
   * collection, which costs a third of the time of a short request.
   */
  const idleSince = new Map<Socket, number>()
  let idle = 0
  let changes = 0
  let timer: NodeJS.Timeout | undefined

  const setIdle = (socket: Socket) => {
    idleSince.set(socket, (changes += 1))
    idle += 1
    // Several at once, because finding them takes a millisecond.
    if (idle > maxUnread)
      findIdle()
        .slice(0, Math.ceil(maxUnread / 100))
        .forEach(close)
    if (idle > max) timer ??= setTimeout(check, checkMs).unref()
  }
  const setBusy = (socket: Socket) => {
    if (!idleSince.get(socket)) return
    idleSince.set(socket, 0)
    idle -= 1
  }
  const remove = (socket: Socket) => {
    setBusy(socket)
    idleSince.delete(socket)
  }
  const close = (socket: Socket) => {
    remove(socket)
    socket.destroy()
  }
  /** The idle connections, beginning with the one that has waited longest. */
  function findIdle(): Socket[] {
    const found = [...idleSince].filter(([, since]) => since > 0)
    return found.sort(([, a], [, b]) => a - b).map(([socket]) => socket)
  }
  function check() {
    timer = undefined
    const read = findIdle().filter(({ bytesRead }) => bytesRead > 0)
    read.slice(0, -max).forEach(close)
  }
  server.on('connection', (socket: Socket) => {
    setIdle(socket)
    socket.once('close', () => remove(socket))
  })
  // Node handles upgrades as requests unless there is an upgrade listener, so this must not add the first one.
  if (server.listenerCount('upgrade') > 0) server.on('upgrade', ({ socket }) => remove(socket))
  server.on('request', ({ socket }, response) => {
    setBusy(socket)
    response.once('close', () => {
      if (idleSince.get(socket) === 0) setIdle(socket)
    })
  })
}
