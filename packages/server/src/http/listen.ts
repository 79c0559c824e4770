import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Maximum number of connections that wait to be accepted, for example if all wallets reconnect at the same time.
 * Linux allows 4,096 by default.
 */
const backlog = 4_096

/**
 * Listens on a port or, if it is taken, on the first free one of the `morePorts` ports after it.
 *
 * @returns the port.
 */
export async function listen(
  server: Server,
  options: { host: string; port: number; morePorts: number },
): Promise<number> {
  const { host, port, morePorts } = options
  for (let offset = 0; ; offset += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port: port + offset, host, backlog }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return (server.address() as AddressInfo).port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || offset >= morePorts) throw error
    }
  }
}
