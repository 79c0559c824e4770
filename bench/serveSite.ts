import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

export type Site = {
  url: string
  /** Sizes of a file in bytes: raw, and compressed as in production. `undefined` if the file was not requested. */
  size(path: string): { raw: number; gzip: number; brotli: number } | undefined
  stop(): Promise<void>
}

/** Serves the files of a folder. Caches them in memory, so that only the first request for a file reads the disk. */
export async function serveSite(folder: string): Promise<Site> {
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const name = path.endsWith('/') ? `${path}index.html` : path
    void (async () => {
      try {
        const body = files.get(name) ?? (await readFile(join(folder, normalize(name))))
        files.set(name, body)
        response.writeHead(200, {
          'content-type': types[extname(name)] ?? 'application/octet-stream',
          'cache-control': 'no-store',
        })
        response.end(body)
      } catch {
        response.writeHead(404).end()
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    size(path) {
      const body = files.get(path)
      return (
        body && {
          raw: body.length,
          gzip: gzipSync(body, { level: 9 }).length,
          brotli: brotliCompressSync(body, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
          }).length,
        }
      )
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
