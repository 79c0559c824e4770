import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Credentials } from './authorize.ts'

/**
 * Reads the credentials from an upgrade request. The token is a query parameter or a bearer token.
 *
 * @returns `undefined` for a path that is not the relay's.
 * @see docs/contracts/relay.md#connection
 */
export function readCredentials(
  request: IncomingMessage,
): (Credentials & { usesCloseFrame: boolean; userAgent: string | undefined }) | undefined {
  const { origin, host, authorization } = request.headers
  const [path, search = ''] = (request.url ?? '').split('?', 2)
  if (path !== '/' && path !== '') return undefined
  const query = new URLSearchParams(search)
  return {
    token: query.get('auth') || readBearer(authorization),
    projectId: query.get('projectId') ?? undefined,
    origin,
    host,
    userAgent: query.get('ua') ?? undefined,
    // Browsers hide the HTTP status of a failed handshake, so clients with this parameter expect a close frame.
    usesCloseFrame: query.get('useOnCloseEvent') === 'true',
  }
}

/** Extracts the bearer token from an `Authorization` header. */
export function readBearer(header: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1]
}

const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/** Responds to an upgrade request with an HTTP error in the format of the gateway's errors. */
export function refuseUpgrade(
  stream: Duplex,
  status: number,
  description: string,
  retryAfterSeconds?: number,
): void {
  if (!stream.writable) {
    stream.destroy()
    return
  }
  const body = JSON.stringify({ status: 'FAILED', reasons: [{ field: 'upgrade', description }] })
  const retry = retryAfterSeconds === undefined ? '' : `retry-after: ${retryAfterSeconds}\r\n`
  stream.end(
    `HTTP/1.1 ${status} ${statusTexts[status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n${retry}\r\n${body}`,
    () => stream.destroy(),
  )
}
