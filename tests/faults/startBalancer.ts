import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * Distributes connections over several local servers, round robin, and skips servers that do not
 * accept the connection. A connection stays on its server until either end closes it.
 */
export async function startBalancer(ports: readonly number[]) {
  const open = new Set<Socket>()
  let turn = 0

  function track(socket: Socket) {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.setNoDelay()
  }

  function forward(client: Socket, tries: number) {
    if (tries === 0 || client.destroyed) {
      client.destroy()
      return
    }
    turn = (turn + 1) % ports.length
    const upstream = connect(ports[turn]!, '127.0.0.1')
    upstream.once('connect', () => {
      track(upstream)
      upstream.pipe(client).pipe(upstream)
      // Closes the other side too.
      upstream.once('close', () => client.destroy())
      client.once('close', () => upstream.destroy())
      upstream.off('error', next)
    })
    const next = () => forward(client, tries - 1)
    upstream.once('error', next)
  }

  const server = createServer((client) => {
    track(client)
    forward(client, ports.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
