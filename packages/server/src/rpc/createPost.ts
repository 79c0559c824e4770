import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UpstreamError } from './UpstreamError.ts'

/** How long a connection is kept for the next request. Nodes and proxies close idle ones after 5 s or later. */
const idleMs = 4_000

/** Posts JSON. @throws {UpstreamError} if there is no complete response in time, or it is too large. */
export type Post = (body: string, signal: AbortSignal) => Promise<{ status: number; text: string }>

/**
 * Creates a function that posts JSON to one URL. Redirects are not followed.
 *
 * Uses Node's HTTP client, because `fetch` takes several times as long for a short response, which would be most of the
 * time of the JSON-RPC proxy.
 *
 * @param options.maxBytes - maximum size of a response, after decompression.
 */
export function createPost(options: {
  url: string
  headers: Record<string, string>
  maxBytes: number
}): Post {
  const { maxBytes } = options
  const url = new URL(options.url)
  const isSecure = url.protocol === 'https:'
  const agentOptions = { keepAlive: true, timeout: idleMs }
  const agent = isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions)
  const request = isSecure ? requestHttps : requestHttp
  const { hostname, pathname, port, search } = url
  const target = {
    agent,
    method: 'POST',
    // `URL` keeps the brackets of an IPv6 address.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: pathname + search,
  }

  return async (body, signal) =>
    new Promise((resolve, reject) => {
      const fail = (reason: string, cause?: unknown) => {
        signal.removeEventListener('abort', abort)
        reject(new UpstreamError(signal.aborted ? 'timeout' : reason, cause))
        outgoing.destroy()
      }
      const abort = () => fail('timeout')
      const headers = {
        ...options.headers,
        'accept-encoding': 'gzip',
        'content-length': Buffer.byteLength(body),
      }
      const outgoing = request({ ...target, headers }, (response) => {
        const status = response.statusCode!
        // Nodes send JSON-RPC errors with 200 or 400; any other status is a failure of the node.
        if (status !== 200 && status !== 400) return fail(`status_${status}`)
        const parts: Buffer[] = []
        let size = 0
        const decoded = decode(response)
        decoded.on('data', (part: Buffer) => {
          size += part.length
          if (size > maxBytes) return fail('too_large')
          parts.push(part)
        })
        decoded.on('end', () => {
          signal.removeEventListener('abort', abort)
          const [first] = parts
          const bytes = parts.length === 1 ? first! : Buffer.concat(parts)
          resolve({ status, text: bytes.toString('utf8') })
        })
        for (const stream of new Set([response, decoded]))
          stream.on('error', (error) => fail('cut_off', error))
      })
      outgoing.on('error', (error) => fail('unreachable', error))
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      outgoing.end(body)
    })
}

function decode(response: IncomingMessage): Readable {
  return response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
}
