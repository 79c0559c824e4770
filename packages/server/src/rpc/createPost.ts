import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'
import { UpstreamError } from './UpstreamError.ts'

/** How long a connection is kept for the next request. Nodes and proxies close idle ones after 5 s or later. */
const idleMs = 4_000
/** Maximum time to open a connection. */
const connectMs = 5_000
/** A response with more bytes is metered, and the upstream is not at fault if the rest of it is late. */
const largeBytes = 64 * 1024

const gunzipped = promisify(gunzip)

/** Accounts for the large responses to a client's request. */
export type Meter = {
  /** Counts bytes as they arrive. @returns whether there is room for them in memory */
  add(bytes: number): boolean
  /** Resolves when a response of this size may be read. */
  turn(bytes: number): Promise<void> | undefined
}

/** Posts JSON. @throws {UpstreamError} if there is no complete response in time, or it is too large. */
export type Post = (
  body: string,
  signal: AbortSignal,
  meter?: Meter,
) => Promise<{ status: number; text: string }>

/**
 * Creates a function that posts JSON to one URL. Redirects are not followed.
 *
 * Uses undici's pool without streams. For a short response, Node's `http.request` would add a fifth to the time that
 * the JSON-RPC proxy takes, and `fetch` several times as much.
 *
 * @param options.url - a user name and password in it are not sent.
 * @param options.maxBytes - maximum size of a response, before and after decompression.
 */
export function createPost(options: {
  url: URL
  headers: Record<string, string>
  maxBytes: number
}): Post {
  const { maxBytes } = options
  const { origin, pathname, search } = options.url
  const pool = new Pool(origin, {
    connectTimeout: connectMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The signal limits the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const target = {
    method: 'POST',
    path: pathname + search,
    headers: { ...options.headers, 'accept-encoding': 'gzip' },
  } as const

  async function decompress(bytes: Buffer): Promise<Buffer> {
    try {
      return await gunzipped(bytes, { maxOutputLength: maxBytes })
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      throw new UpstreamError(isTooLarge ? 'too_large' : 'cut_off', error)
    }
  }

  return (body, signal, meter) =>
    new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined
      let status = 0
      let encoding: unknown
      const parts: Buffer[] = []
      let size = 0

      let counted = 0
      /** Counts a large response up to a size. @returns whether there is room for it */
      const count = (bytes: number) => {
        const more = bytes - counted
        if (bytes <= largeBytes || more <= 0) return true
        counted = bytes
        return meter?.add(more) !== false
      }
      const finish = async (sent: Buffer) => {
        const bytes = encoding === 'gzip' ? await decompress(sent) : sent
        if (!count(bytes.length)) throw new UpstreamError('no_room')
        if (bytes.length > largeBytes) await meter?.turn(bytes.length)
        return bytes.toString('utf8')
      }
      const fail = (reason: string, cause?: Error) => {
        signal.removeEventListener('abort', abort)
        const late = size > largeBytes ? 'slow_body' : 'timeout'
        const error = new UpstreamError(signal.aborted ? late : reason, cause)
        reject(error)
        controller?.abort(error)
      }
      const abort = () => fail('timeout')
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })

      pool.dispatch(
        { ...target, body },
        {
          onRequestStart(started) {
            controller = started
            // Aborted while the connection was opened.
            if (signal.aborted) abort()
          },
          onResponseStart(_, code, headers) {
            status = code
            encoding = headers['content-encoding']
            // Nodes send JSON-RPC errors with 200 or 400; any other status is a failure of the node.
            if (status !== 200 && status !== 400) fail(`status_${status}`)
          },
          onResponseData(_, part) {
            size += part.length
            if (size > maxBytes) fail('too_large')
            else if (!count(size)) fail('no_room')
            else parts.push(part)
          },
          onResponseEnd() {
            signal.removeEventListener('abort', abort)
            const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
            if (encoding !== 'gzip' && size <= largeBytes)
              resolve({ status, text: bytes.toString('utf8') })
            else finish(bytes).then((text) => resolve({ status, text }), reject)
          },
          onResponseError(_, error) {
            fail(status === 0 ? 'unreachable' : 'cut_off', error)
          },
        },
      )
    })
}
