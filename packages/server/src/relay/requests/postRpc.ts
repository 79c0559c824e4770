import type { RelayErrorTag, RelayRefusal } from '@gatefold/protocol/relay'
import { addressOf, readHeader, secondsUntilRoom, type HttpContext } from '../../http/access.ts'
import { publicAnswers } from '../../http/answers.ts'
import { readBytes } from '../../http/input.ts'
import { authorize } from '../socket/authorize.ts'
import { maxFrameBytes } from '../socket/createSocketServer.ts'
import { longestMs } from './createRateLimit.ts'
import { dispatch, type Reply } from './dispatch.ts'
import { RelayError, toErrorMember } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'
import { readBearer } from '../socket/upgrade.ts'

const { json, jsonHeaders } = publicAnswers

/**
 * `POST /rpc`: calls the relay's methods without a socket. The token is the query parameter `auth` or a
 * bearer token. The relay pushes no messages over HTTP; clients fetch the waiting messages.
 *
 * @see docs/contracts/relay.md#methods
 */
export function postRpc(relay: RelayContext) {
  const { context } = relay
  return async (c: HttpContext): Promise<Response> => {
    const address = addressOf(context, c)
    const seconds = secondsUntilRoom(context, 'address', address, 1)
    if (seconds !== undefined) {
      const what = `try again in ${seconds} s`
      const error = new RelayError('tooManyRequests', 'TooManyRequests', what)
      return refuse(429, error, { 'retry-after': String(seconds) })
    }
    const host = readHeader(c, 'host')
    const admission = await authorize(context, {
      token: c.req.query('auth') || readBearer(readHeader(c, 'authorization')),
      projectId: c.req.query('projectId'),
      origin: readHeader(c, 'origin'),
      host,
    })
    if (!('clientId' in admission)) {
      relay.metrics.refused.inc({ reason: admission.refusal })
      const { refusal, reason } = admission
      const error = new RelayError('auth', tags[refusal] ?? 'InvalidJwt', reason)
      return refuse(refusal === 'originNotAllowed' ? 403 : 401, error)
    }
    const { clientId, projectId } = admission
    if (!relay.addressLimits.admitClient(address, clientId)) {
      const what = 'too many new clients from this address'
      return refuse(429, new RelayError('tooManyRequests', 'TooManyRequests', what), {
        'retry-after': '60',
      })
    }
    const bytes = await readBytes(c, maxFrameBytes)
    if (!bytes) {
      const what = `the body is larger than ${maxFrameBytes} bytes`
      return refuse(413, new RelayError('invalidPayload', 'PayloadSizeExceeded', what))
    }
    let reply: Reply | undefined
    try {
      reply = await dispatch(
        relay,
        {
          clientId,
          address,
          projectId,
          host,
          onReceipt: () => {},
          isSilentOnStorage: false,
          refusesDelay: true,
        },
        new TextDecoder().decode(bytes),
      )
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      return refuse(429, error, { 'retry-after': String(longestMs / 1000) })
    }
    // Called before the response is written: the hub delays pushes to clients that must receive the response first.
    reply?.onSent()
    const text = reply?.text
    return text === undefined
      ? new Response(null, { status: 204, headers: jsonHeaders })
      : new Response(text, { headers: jsonHeaders })
  }
}

const tags: Partial<Record<RelayRefusal, RelayErrorTag<'auth'>>> = {
  originNotAllowed: 'OriginNotAllowed',
  invalidKey: 'ProjectNotFound',
  jwtMissing: 'MissingJwt',
}

/** The error response to a request that was not parsed: its id is unknown. @see docs/contracts/relay.md#errors */
function refuse(status: number, error: RelayError, headers?: Record<string, string>) {
  return json({ id: null, jsonrpc: '2.0', error: toErrorMember(error) }, status, headers)
}
