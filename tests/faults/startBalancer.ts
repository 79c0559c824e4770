import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * Spreads connections over several servers on this machine, in turn; one that does not answer is passed
 * over. What is connected stays where it is until either end closes.
 */
export async function startBalancer(ports: readonly number[]) {
  const open = new Set<Socket>()
  let turn = 0

  function hold(socket: Socket) {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.setNoDelay()
  }

  function lead(client: Socket, tries: number) {
    if (tries === 0 || client.destroyed) {
      client.destroy()
      return
    }
    turn = (turn + 1) % ports.length
    const upstream = connect(ports[turn]!, '127.0.0.1')
    upstream.once('connect', () => {
      hold(upstream)
      upstream.pipe(client).pipe(upstream)
      // Closes the other side as abruptly, at once.
      upstream.once('close', () => client.destroy())
      client.once('close', () => upstream.destroy())
      upstream.off('error', next)
    })
    const next = () => lead(client, tries - 1)
    upstream.once('error', next)
  }

  const server = createServer((client) => {
    hold(client)
    lead(client, ports.length)
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
