import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

const types: Record<string, string> = { js: 'text/javascript', html: 'text/html; charset=utf-8' }

/**
 * Builds a page in memory and serves it under every host name of this machine.
 *
 * @param folder - the folder that contains the page's `index.html`
 */
export async function servePage(folder: string = fileURLToPath(new URL('.', import.meta.url))) {
  const files = await buildFiles(folder)
  /** Response headers of the page, which tests can change. */
  const headers: Record<string, string> = {}
  /** Bodies of additional pages, by path. */
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const body = pages.get(pathname) ?? files.get(name)
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', types[name.split('.').at(-1)!] ?? types['html']!)
    if (name === 'index.html')
      for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
    response.end(body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    headers,
    pages,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function buildFiles(root: string) {
  const output = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
    define: {
      'process.env.NODE_ENV': '"production"',
      // Otherwise an empty object. Official clients read their settings from it, which a page can set.
      'process.env': '(globalThis.process?.env ?? {})',
    },
    build: { target: 'es2023', write: false, minify: false, modulePreload: { polyfill: false } },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
}
