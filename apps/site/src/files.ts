import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { getMimeType } from 'hono/utils/mime'
import { parseRange } from './range.ts'

/** Encodings of the copies that `buildOnce` writes, in order of preference. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

type File = {
  path: string
  size: number
  type: string
  etag: string
  immutable: boolean
  variants: { name: string; path: string; size: number }[]
}

/**
 * Serves a folder of built files.
 *
 * Indexes the folder once, so no URL can reach a file outside it. Supports ranges (RFC 9110 §14,
 * needed for video), ETag revalidation, and precompressed variants by Accept-Encoding.
 *
 * @returns a function that handles a request; it returns `undefined` if there is no such file
 */
export function serveFiles(folder: string): (request: Request) => Response | undefined {
  const files = index(folder)
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const file = files.get(new URL(request.url).pathname)
    return file && createResponse(request, file)
  }
}

function index(folder: string): Map<string, File> {
  const files = new Map<string, File>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    if (encodings.some(({ suffix }) => entry.name.endsWith(suffix))) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    files.set(url, {
      path,
      size: statSync(path).size,
      type: getMimeType(path) ?? 'application/octet-stream',
      etag: createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22),
      immutable: url.startsWith('/assets/'), // Vite adds content hashes to these names
      variants: encodings.flatMap(({ name, suffix }) => {
        const variant = `${path}${suffix}`
        return existsSync(variant) ? [{ name, path: variant, size: statSync(variant).size }] : []
      }),
    })
  }
  return files
}

function createResponse(request: Request, file: File): Response {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const range = request.headers.get('range')
  const variant = range ? undefined : file.variants.find(({ name }) => accepted.includes(name))
  const body = variant ?? file
  const etag = variant ? `"${file.etag}-${variant.name}"` : `"${file.etag}"`
  const headers = new Headers({
    'Content-Type': file.type,
    ETag: etag,
    'Cache-Control': file.immutable
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600, must-revalidate',
    'X-Content-Type-Options': 'nosniff',
  })
  if (file.variants.length > 0) headers.set('Vary', 'Accept-Encoding')
  else headers.set('Accept-Ranges', 'bytes')
  if (variant) headers.set('Content-Encoding', variant.name)

  if (request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers })
  }
  const ifRange = request.headers.get('if-range')
  const bytes = range && (!ifRange || ifRange === etag) ? parseRange(range, file.size) : undefined
  if (bytes === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  if (bytes) headers.set('Content-Range', `bytes ${bytes.first}-${bytes.last}/${file.size}`)
  headers.set('Content-Length', String(bytes ? bytes.last - bytes.first + 1 : body.size))
  const status = bytes ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const stream = createReadStream(body.path, bytes && { start: bytes.first, end: bytes.last })
  return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers })
}
