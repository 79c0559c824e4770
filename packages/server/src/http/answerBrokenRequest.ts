import type { Socket } from 'node:net'
import type { Reasons } from '@gatefold/protocol/gateway'
import { publicHeaders } from './answers.ts'

/**
 * Handles `clientError`: responds to requests that Node cannot parse or that time out, in the format of other
 * errors.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, field] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'body']
        : ['400 Bad Request', 'request']
  const body = JSON.stringify({
    status: 'FAILED',
    reasons: [{ field, description: 'the server cannot read this request' }],
  } satisfies Reasons)
  const headers = Object.entries({
    ...publicHeaders,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}\r\n${body}`)
}
