import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Starts a TCP proxy. A test can cut its connections without affecting other tests that use the same database. */
export async function startTcpProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>()
  let isCut = false
  let isMuted = false
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const upstream = connect(target.port, target.host)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => sockets.delete(end))
    }
    socket.pipe(upstream)
    upstream.on('data', (data) => isMuted || socket.write(data)).on('end', () => socket.end())
  })
  const drop = () => sockets.forEach((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      drop()
    },
    /** Discards the replies of the target until `mend` is called. */
    mute() {
      isMuted = true
    },
    mend() {
      isCut = false
      isMuted = false
    },
    async stop() {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
