import { CaipNetworkId, limits } from '@gatefold/protocol'
import {
  maxRpcBodyBytes,
  isRpcRequest,
  maxRpcIdLength,
  rpcErrorCodes,
  RpcRequest,
  type Reason,
  type RpcError,
  type RpcResponse,
} from '@gatefold/protocol/gateway'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { ChainUnavailableError, type Chain } from '../rpc/createChain.ts'
import type { Meter } from '../rpc/createPost.ts'
import type { Reply } from '../rpc/createUpstream.ts'
import { PlainBatch, readPlainBatch } from '../rpc/readPlainBatch.ts'
import { isAllowed, isSend, parametersProblem, priceOf } from '../rpc/methods.ts'
import { acceptKnownTransaction } from '../rpc/transactionHash.ts'
import { charge, enter, type Access, type AccessContext, type HttpContext } from '../http/access.ts'
import { readJson } from '../http/input.ts'
import type { Project } from '../storage/projects.ts'
import { json, jsonHeaders, refuse } from './answers.ts'
import { meterReplies } from './meterReplies.ts'
import type { GatewayContext } from './context.ts'

/** How long the response to `net_version` is cached. */
const networkIdCacheMs = 5 * 60_000
/** How many requests of a batch are forwarded at the same time. All reads count as one, because they form one batch. */
const requestsAtATime = 4

type Id = RpcRequest['id']

/**
 * A request that passed all checks, without its parameters: the position of its
 * response, and the data needed to write it.
 */
type Place = { at: number; id: Id; method: string }

/** The services that the proxy uses. */
export type RpcContext = AccessContext & Pick<GatewayContext, 'chains' | 'now' | 'memory'>

type Outcome = {
  /** In the order of the requests. Empty where the reply is not known yet. */
  responses: RpcResponse[]
  accepted: Place[]
}

/**
 * `POST /v1?chainId&projectId`: the JSON-RPC proxy. Accepts one request or a batch. Only requests that
 * pass every check reach an upstream.
 *
 * @param access - how requests are admitted; by default, from the project's origins.
 * @see docs/contracts/gateway.md#json-rpc; spec §7.12.1, §7.12.3, §9.4.2
 */
export function postRpc(context: RpcContext, access?: Access) {
  return createProxy(context, context.chains, access)
}

/**
 * `POST /v1/bundler?chainId&projectId`: the same for the bundlers of ERC-4337. Their name in `bundler` is ignored: the
 * operator has chosen one for each chain.
 *
 * @see docs/contracts/gateway.md#json-rpc
 */
export function postBundler(context: GatewayContext) {
  return createProxy(context, context.bundlers)
}

function createProxy(context: RpcContext, chains: GatewayContext['chains'], access?: Access) {
  const cache = new LRUCache<string, Reply>({
    max: 1_000,
    ttl: networkIdCacheMs,
    ttlResolution: 0,
    perf: { now: context.now },
  })

  return async (c: HttpContext): Promise<Response> => {
    const project = await enter(context, c, access)
    if (project instanceof Response) return project
    const chainId = c.req.query('chainId')
    const chain = chainId ? chains.get(chainId) : undefined
    if (!chain) return refuse(400, chainProblem(chains, chainId))

    const body = await readJson(c, maxRpcBodyBytes, context, (text) =>
      readPlainBatch(text, { table: chain.methods, isKnown }),
    )
    if ('refusal' in body) {
      if (body.fault === 'size') return body.refusal
      return json(
        failure(null, rpcErrorCodes.parseError, 'Parse error', ['body', 'is not JSON']),
        400,
      )
    }
    if (body.value instanceof PlainBatch) {
      const batch = body.value
      const refusal = chargePrice(c, project, batch.price)
      if (refusal) return refusal
      const { meter, end } = meterReplies(context, c, project)
      return forwardPlain(chain, batch, meter).finally(end)
    }
    const isBatch = Array.isArray(body.value)
    const calls = isBatch ? (body.value as unknown[]) : [body.value]
    if (calls.length === 0 || calls.length > limits.rpcBatchSize) {
      const text = `must contain from 1 to ${limits.rpcBatchSize} requests`
      return json(
        failure(null, rpcErrorCodes.invalidRequest, 'Invalid Request', ['body', text]),
        400,
      )
    }
    const refusal = chargePrice(c, project, totalPrice(calls))
    if (refusal) return refusal
    const { meter, end } = meterReplies(context, c, project)
    try {
      return toAnswer(await answer(chain, calls, meter), isBatch)
    } finally {
      end()
    }
  }

  /** Takes the price of a request. One that costs more than a full bucket is refused, however long the client waits. */
  function chargePrice(c: HttpContext, project: Project, price: number): Response | undefined {
    const { address, project: ofProject } = context.limits
    const most = Math.min(address.burst, ofProject.burst)
    // `enter` took one token.
    if (price <= most) return charge(context, c, project, price - 1)
    const text = `costs ${price} tokens of the rate limits, and may cost at most ${most}`
    return json(failure(null, rpcErrorCodes.invalidRequest, 'Invalid Request', ['body', text]), 400)
  }

  /**
   * Responds to requests in order; forwards those that pass all checks. Not an async function, because it would keep
   * its arguments, such as the parsed requests, in memory until it ends.
   */
  function answer(chain: Chain, values: unknown[], meter: Meter): Promise<RpcResponse[]> {
    const outcome: Outcome = { responses: Array<RpcResponse>(values.length), accepted: [] }
    const reads: RpcRequest[] = []
    const readPlaces: Place[] = []
    const sends: (() => Promise<void>)[] = []
    for (const [at, value] of values.entries()) {
      const request = examine(chain, value)
      if (!('method' in request)) {
        outcome.responses[at] = request
        continue
      }
      const { id, method } = request
      const place = { at, id, method }
      outcome.accepted.push(place)
      const known = knownReply(chain, method)
      if (known) outcome.responses[at] = toResponse(id, known)
      else if (!isSend(method)) {
        reads.push(request)
        readPlaces.push(place)
      }
      // Never batched, so that a retry sends the same bytes.
      else sends.push(() => forwardSend(chain, request, place, outcome))
    }
    const started = reads.length > 0 ? [forwardReads(chain, reads, readPlaces, outcome, meter)] : []
    return complete(outcome, started, sends)
  }

  /** Waits for the started jobs and runs the other ones. */
  async function complete(
    { responses, accepted }: Outcome,
    started: Promise<void>[],
    jobs: (() => Promise<void>)[],
  ): Promise<RpcResponse[]> {
    let running = started
    let unavailable: ChainUnavailableError | undefined
    while (!unavailable && running.length + jobs.length > 0) {
      const next = jobs.splice(0, requestsAtATime - running.length).map((job) => job())
      for (const result of await Promise.allSettled([...running, ...next])) {
        if (result.status === 'fulfilled') continue
        if (!(result.reason instanceof ChainUnavailableError)) throw result.reason
        unavailable = result.reason
      }
      running = []
    }
    if (!unavailable) return responses
    if (!accepted.some(({ at }) => responses[at])) throw unavailable
    const error = { code: rpcErrorCodes.internalError, message: unavailable.shortMessage }
    for (const { at, id } of accepted) responses[at] ??= { jsonrpc: '2.0', id, error }
    return responses
  }

  async function forwardPlain(chain: Chain, batch: PlainBatch, meter: Meter): Promise<Response> {
    const replies = await chain.forward(batch, { meter })
    if (typeof replies === 'string') return new Response(replies, { headers: jsonHeaders })
    return toAnswer(replies.map((reply, index) => toResponse(batch.ids[index]!, reply)))
  }

  function forwardReads(
    chain: Chain,
    calls: RpcRequest[],
    places: Place[],
    outcome: Outcome,
    meter: Meter,
  ) {
    return chain.send(calls, { isRead: true, meter }).then((replies) => {
      for (const [index, { at, id, method }] of places.entries()) {
        const reply = replies[index]!
        if (method === 'net_version' && 'result' in reply && /^\d+$/.test(String(reply.result)))
          cache.set(`${chain.id} net_version`, reply)
        outcome.responses[at] = toResponse(id, reply)
      }
    })
  }

  async function forwardSend(chain: Chain, call: RpcRequest, { at, id }: Place, outcome: Outcome) {
    const [reply] = await chain.send([call], { isRead: false })
    outcome.responses[at] = toResponse(id, acceptKnownTransaction(call, reply!))
  }

  /** The reply that is known without an upstream: the chain id, or the cached network id. */
  function knownReply(chain: Chain, method: string): Reply | undefined {
    if (method === 'eth_chainId') {
      const reference = BigInt(CaipNetworkId.parse(chain.id).reference)
      return { result: `0x${reference.toString(16)}` }
    }
    return method === 'net_version' ? cache.get(`${chain.id} net_version`) : undefined
  }
}

/** Whether the reply to a method may be known without an upstream. */
function isKnown(method: string): boolean {
  return method === 'eth_chainId' || method === 'net_version'
}

/** The price of calls in tokens of the rate limits. A value without a method costs one token. */
function totalPrice(calls: unknown[]): number {
  return calls.reduce<number>((sum, call) => {
    const { method, params } = (call ?? {}) as { method?: unknown; params?: unknown }
    return sum + (typeof method === 'string' ? priceOf(method, params) : 1)
  }, 0)
}

/** Validates a request. @returns the request if it may be forwarded, otherwise the error response. */
function examine(chain: Chain, value: unknown): RpcRequest | RpcResponse {
  if (!isRpcRequest(value)) return invalidRequest(value)
  const { id, method, params } = value
  if (!isAllowed(chain.methods, method))
    return failure(
      id,
      rpcErrorCodes.methodNotFound,
      `The method ${method.slice(0, 100)} is not available`,
      ['method', 'is not one that this gateway forwards'],
    )
  const problem = parametersProblem(chain.methods, method, params)
  if (problem)
    return failure(id, rpcErrorCodes.invalidParams, 'Invalid params', [
      problem.field,
      problem.description,
    ])
  return value
}

/** The error response to a value that is not a JSON-RPC request; names the first invalid field. */
function invalidRequest(value: unknown): RpcResponse {
  const [issue] = v.safeParse(RpcRequest, value).issues ?? []
  const field = (issue && v.getDotPath(issue)) ?? 'body'
  const text = issue?.received === 'undefined' ? 'is missing' : (issue?.message ?? 'is invalid')
  return failure(readId(value), rpcErrorCodes.invalidRequest, 'Invalid Request', [field, text])
}

function toAnswer(responses: RpcResponse[], isBatch = true): Response {
  return json(isBatch ? responses : responses[0], responses.every(isInvalid) ? 400 : 200)
}

function toResponse(id: Id, reply: Reply): RpcResponse {
  return 'error' in reply
    ? { jsonrpc: '2.0', id, error: reply.error }
    : { jsonrpc: '2.0', id, result: reply.result }
}

function failure(
  id: Id,
  code: number,
  message: string,
  [field, text]: [string, string],
): RpcResponse {
  const description = text.startsWith(field) ? text : `${field} ${text}`
  const data = { reasons: [{ field, description }] satisfies Reason[] }
  const error: RpcError = { code, message: `${message}: ${description}`, data }
  return { jsonrpc: '2.0', id, error }
}

function readId(value: unknown): Id {
  const id = (value as { id?: unknown } | null)?.id
  const isText = typeof id === 'string' && id.length <= maxRpcIdLength
  return isText || typeof id === 'number' ? id : null
}

/** Whether a response reports a malformed request. False for unsupported methods and for a node's errors. */
function isInvalid(response: RpcResponse): boolean {
  if (!('error' in response)) return false
  const { code, data } = response.error
  const isOurs = typeof data === 'object' && data !== null && 'reasons' in data
  return isOurs && (code === rpcErrorCodes.invalidRequest || code === rpcErrorCodes.invalidParams)
}

function chainProblem(chains: GatewayContext['chains'], chainId: string | undefined): Reason {
  const supported = [...chains.keys()].join(', ') || 'none'
  return {
    field: 'chainId',
    description: chainId
      ? `chainId ${chainId.slice(0, 50)} is not supported; supported chains: ${supported}`
      : `chainId is missing; supported chains: ${supported}`,
  }
}

/** `GET /v1`: always refused. On the official servers, it opens a WebSocket, which this gateway does not support. */
export function getRpc() {
  return () =>
    refuse(
      426,
      { field: 'method', description: 'send JSON-RPC requests with POST' },
      { upgrade: 'websocket' },
    )
}
