import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

/**
 * Builds a page for production in memory and serves it under every host name of this machine.
 * `/blank` is an empty page on the same origin. `/sandboxed` is the page with an opaque origin, as
 * in a frame without storage access.
 *
 * @param folder - the folder that contains the page's `index.html`
 */
export async function servePage(folder = new URL('.', import.meta.url)) {
  const root = fileURLToPath(folder)
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'production'] },
    build: { target: 'es2023', write: false, modulePreload: { polyfill: false } },
  })) as Rolldown.RolldownOutput
  const files = new Map(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
  const server = createServer(({ url = '/' }, response) => {
    const name = url === '/' || url === '/sandboxed' ? 'index.html' : url.slice(1)
    if (url === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts')
    // A page with an opaque origin loads its scripts cross-origin.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', name.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.end(files.get(name) ?? '<!doctype html><title>blank</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    port,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
