import type { Server } from 'node:http'
import { serve } from '@hono/node-server'

export type RunningSite = {
  url: string
  port: number
  /** Closes the port and every connection. */
  stop(): Promise<void>
}

/**
 * Opens the port, and resolves once requests are answered there.
 *
 * @param options.port - TCP port; 0 takes any free one
 * @param options.hostname - every address of the machine unless told
 * @throws When the port is taken (`EADDRINUSE`).
 */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, hostname }: { port: number; hostname?: string | undefined },
): Promise<RunningSite> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, ...(hostname && { hostname }) }, (address) => {
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
    server.closeAllConnections() // a video may still be on its way
  })
}
