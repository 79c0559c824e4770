import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'vite'
import type { Rolldown } from 'vite'

import { gatefold } from '../src/exports/vite.ts'
import { handleRequest } from './gateway.ts'
import type { GatewayLog } from './gateway.ts'

const types: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  woff2: 'font/woff2',
}

const pages: Record<string, string> = { '/': 'index.html', '/playground': 'playground.html' }

/**
 * Serves the gallery together with the mock gateway.
 *
 * @param options.port - 0 selects a free port
 * @param options.folder - the output of {@link buildGallery}; by default, the gallery is built in memory
 * @returns `url` without a trailing slash; `log`, the requests to the mock gateway;
 * `faults.breaking`, a pattern: requests for files with a matching name fail with 404; `faults.csp`, the
 * Content-Security-Policy of all files
 */
export async function startGallery(options: { port?: number; folder?: string } = {}) {
  const { port = 0, folder } = options
  const files = folder === undefined ? await buildFiles() : readFiles(folder)
  const log: GatewayLog = []
  const faults: { breaking: RegExp | undefined; csp: string | undefined } = {
    breaking: undefined,
    csp: undefined,
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery')
    if (handleRequest(request, response, log)) return
    const name = pages[pathname] ?? pathname.slice(1)
    const file = files.get(name)
    if (!file || faults.breaking?.test(name)) {
      response.statusCode = 404
      response.end()
      return
    }
    response.setHeader('content-type', types[name.split('.').at(-1) ?? ''] ?? 'text/plain')
    // Their names contain hashes of their contents. From its cache, Chromium loads scripts already compiled.
    if (name.startsWith('assets/'))
      response.setHeader('cache-control', 'max-age=31536000, immutable')
    if (faults.csp) response.setHeader('content-security-policy', faults.csp)
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    faults,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Builds the gallery into a folder.
 *
 * @param options.development - uses React's development build, which logs warnings
 */
export async function buildGallery(
  folder: string,
  options: { development?: boolean } = {},
): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, content] of await buildFiles(options.development)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

function readFiles(folder: string): Map<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
  return new Map(
    paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path)]),
  )
}

async function buildFiles(development = false): Promise<Map<string, string | Uint8Array>> {
  const mode = development ? 'development' : 'production'
  const root = fileURLToPath(new URL('.', import.meta.url))
  const output = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [gatefold()],
    // Vite would use NODE_ENV, which is `test` in tests.
    oxc: { jsx: { runtime: 'automatic', development } },
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', mode] },
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    build: {
      target: 'es2023',
      write: false,
      minify: !development,
      rolldownOptions: {
        input: ['index', 'served', 'playground'].map((name) => `${root}${name}.html`),
      },
      modulePreload: { polyfill: false },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
}

// Run directly (`npm run playground`): serves the gallery and the playground until Ctrl-C.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startGallery({ port: Number(process.env.PORT ?? 3004) })
  // oxlint-disable-next-line no-console -- prints the URL
  console.log(`The playground is open at ${url}/playground\nCtrl-C stops it.`)
}
