import type { Server } from 'node:http'
import { serve } from '@hono/node-server'

/** The address that site servers bind to by default; not reachable from other machines. */
export const loopback = '127.0.0.1'

export type RunningSite = {
  url: string
  port: number
  /** Closes the port and all open connections. */
  stop(): Promise<void>
}

/**
 * Serves HTTP, and resolves once the port is open.
 *
 * @param options.port - TCP port; 0 for any free one
 * @param options.hostname - address to bind; use `0.0.0.0` in a container
 * @throws If the port is in use (`EADDRINUSE`).
 */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, hostname = loopback }: { port: number; hostname?: string | undefined },
): Promise<RunningSite> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname }, (address) => {
      server.off('error', reject)
      resolve({
        url: `http://localhost:${address.port}`,
        port: address.port,
        stop: () => close(server as Server),
      })
    })
    server.once('error', reject)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections() // a video may still be in transfer
  })
}
