import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { build } from 'vite'
import type { Rolldown } from 'vite'

/**
 * Builds a site in memory and serves it; by default, the site of this folder.
 *
 * @param options.root - the folder with the site's index.html
 * @returns `filesWith` lists the scripts that contain a module whose path matches
 */
export async function serveSite(options: { root?: string } = {}) {
  const { root = fileURLToPath(new URL('.', import.meta.url)) } = options
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    // Vite would use NODE_ENV, which is `test` here.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { target: 'es2023', write: false, modulePreload: { polyfill: false } },
  })) as Rolldown.RolldownOutput
  const files = new Map(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site')
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const body = files.get(name)
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', name.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.end(body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    filesWith: (path: RegExp): readonly string[] =>
      output.flatMap((file) =>
        file.type === 'chunk' && file.moduleIds.some((id) => path.test(id)) ? [file.fileName] : [],
      ),
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
