import {
  relayErrorCodes,
  relayErrorPrefixes,
  type RelayErrorTag,
  type RelayRefusal,
} from '@gatefold/protocol/relay'
import { addressOf, limit, readHeader, type GatewayRequest } from '../gateway/access.ts'
import { json, jsonHeaders, refuse } from '../gateway/answer.ts'
import { readBytes } from '../gateway/input.ts'
import { authorize } from './authorize.ts'
import { maxFrameBytes } from './createSockets.ts'
import { dispatch } from './dispatch.ts'
import type { RelayParts } from './parts.ts'
import { readBearer } from './upgrade.ts'

/**
 * `POST /rpc`: the methods of the relay without a socket, with the same token, as `auth` in the query
 * or as a bearer. Nothing is pushed; what waits is fetched.
 *
 * @see contract of the relay, 2.1
 */
export function postRelayRpc(relay: RelayParts) {
  const { context } = relay
  return async (c: GatewayRequest): Promise<Response> => {
    const limited = limit(context, 'address', addressOf(context, c), 1)
    if (limited) return limited
    const host = readHeader(c, 'host')
    const admission = await authorize(context, {
      token: c.req.query('auth') || readBearer(readHeader(c, 'authorization')),
      projectId: c.req.query('projectId'),
      origin: readHeader(c, 'origin'),
      host,
    })
    if (!('clientId' in admission)) {
      relay.metrics.refused.inc({ reason: admission.refusal })
      return unauthorized(admission.refusal, admission.reason)
    }
    const bytes = await readBytes(c.req.raw, maxFrameBytes)
    if (!bytes)
      return refuse(413, {
        field: 'body',
        description: `the body is larger than ${maxFrameBytes} bytes`,
      })
    const { clientId } = admission
    const reply = await dispatch(
      relay,
      { clientId, host, onReceipt: () => {}, isSilentOnStorage: false },
      new TextDecoder().decode(bytes),
    )
    // The answer leaves in this turn; what follows from it waits for a later one.
    reply?.sent()
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

function unauthorized(refusal: RelayRefusal, reason: string) {
  const error = {
    code: relayErrorCodes.auth,
    message: `${relayErrorPrefixes.auth}: ${reason}`,
    data: tags[refusal] ?? 'InvalidJwt',
  }
  return json({ id: null, jsonrpc: '2.0', error }, refusal === 'originNotAllowed' ? 403 : 401)
}
