import { CaipNetworkId, limits } from '@gatefold/protocol'
import {
  maxRpcBodyBytes,
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
import type { Reply } from '../rpc/createUpstream.ts'
import { isAllowed, isSend, parametersProblem, priceOf } from '../rpc/methods.ts'
import { acceptKnownTransaction } from '../rpc/transactionHash.ts'
import { charge, enter, type HttpContext } from '../http/access.ts'
import { readJson } from '../http/input.ts'
import { json, refuse } from './answers.ts'
import type { GatewayContext } from './context.ts'

/** How long the response to `net_version` is cached. */
const networkIdCacheMs = 5 * 60_000
/** How many requests of a batch are forwarded at the same time. All reads count as one, because they form one batch. */
const requestsAtATime = 4

type Id = RpcRequest['id']

/**
 * `POST /v1?chainId&projectId`: the JSON-RPC proxy. Accepts one request or a batch. Only requests that
 * pass every check reach an upstream.
 *
 * @see docs/contracts/gateway.md#json-rpc; spec §7.12.1, §7.12.3, §9.4.2
 */
export function postRpc(context: GatewayContext) {
  return createProxy(context, context.chains)
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

function createProxy(context: GatewayContext, chains: GatewayContext['chains']) {
  const cache = new LRUCache<string, Reply>({
    max: 1_000,
    ttl: networkIdCacheMs,
    ttlResolution: 0,
    perf: { now: context.now },
  })

  return async (c: HttpContext): Promise<Response> => {
    const chainId = c.req.query('chainId')
    const chain = chainId ? chains.get(chainId) : undefined
    if (!chain) return refuse(400, chainProblem(chains, chainId))
    const project = await enter(context, c)
    if (project instanceof Response) return project

    const body = await readJson(c, maxRpcBodyBytes, context)
    if ('refusal' in body) {
      if (body.fault === 'size') return body.refusal
      return json(
        failure(null, rpcErrorCodes.parseError, 'Parse error', ['body', 'is not JSON']),
        400,
      )
    }
    if (!Array.isArray(body.value)) {
      const refusal = charge(context, c, project, totalPrice([body.value]) - 1)
      if (refusal) return refusal
      const [response] = await answer(chain, [body.value])
      return json(response, isInvalid(response!) ? 400 : 200)
    }
    const calls = body.value as unknown[]
    if (calls.length === 0 || calls.length > limits.rpcBatchSize) {
      const text = `must contain from 1 to ${limits.rpcBatchSize} requests`
      return json(
        failure(null, rpcErrorCodes.invalidRequest, 'Invalid Request', ['body', text]),
        400,
      )
    }
    const refusal = charge(context, c, project, totalPrice(calls) - 1)
    if (refusal) return refusal
    const responses = await answer(chain, calls)
    return json(responses, responses.every(isInvalid) ? 400 : 200)
  }

  /** Responds to requests in order; forwards those that pass all checks. */
  async function answer(chain: Chain, values: unknown[]): Promise<RpcResponse[]> {
    const checked = values.map((value) => examine(chain, value))
    const forwarded = checked.filter((item): item is RpcRequest => 'method' in item)
    const replies = await fetchReplies(chain, forwarded)
    return checked.map((item) => {
      if (!('method' in item)) return item
      return { jsonrpc: '2.0', id: item.id, ...replies.get(item)! }
    })
  }

  async function fetchReplies(
    chain: Chain,
    requests: RpcRequest[],
  ): Promise<Map<RpcRequest, Reply>> {
    const replies = new Map<RpcRequest, Reply>()
    const reads: RpcRequest[] = []
    const alone: RpcRequest[] = []
    for (const request of requests) {
      const known = knownReply(chain, request)
      if (known) replies.set(request, known)
      else (isSend(request.method) ? alone : reads).push(request)
    }
    const jobs = [
      ...(reads.length > 0 ? [() => forward(chain, reads, replies, true)] : []),
      // Never batched, so that a retry sends the same bytes.
      ...alone.map((request) => () => forward(chain, [request], replies, false)),
    ]
    let unavailable: ChainUnavailableError | undefined
    for (let start = 0; start < jobs.length; start += requestsAtATime) {
      const group = jobs.slice(start, start + requestsAtATime)
      for (const outcome of await Promise.allSettled(group.map((job) => job()))) {
        if (outcome.status === 'fulfilled') continue
        if (!(outcome.reason instanceof ChainUnavailableError)) throw outcome.reason
        unavailable = outcome.reason
      }
      if (unavailable) break
    }
    if (unavailable && replies.size === 0) throw unavailable
    for (const request of requests)
      if (!replies.has(request))
        replies.set(request, {
          error: { code: rpcErrorCodes.internalError, message: unavailable!.shortMessage },
        })
    return replies
  }

  async function forward(
    chain: Chain,
    requests: RpcRequest[],
    replies: Map<RpcRequest, Reply>,
    isRead: boolean,
  ) {
    const calls = requests.map(({ method, params }) => ({ method, params: params ?? [] }))
    const got = await chain.send(calls, { isRead })
    for (const [index, request] of requests.entries()) {
      const reply = acceptKnownTransaction(calls[index]!, got[index]!)
      if (
        request.method === 'net_version' &&
        'result' in reply &&
        /^\d+$/.test(String(reply.result))
      )
        cache.set(`${chain.id} net_version`, reply)
      replies.set(request, reply)
    }
  }

  /** The reply that is known without an upstream: the chain id, or the cached network id. */
  function knownReply(chain: Chain, { method }: RpcRequest): Reply | undefined {
    if (method === 'eth_chainId') {
      const reference = BigInt(CaipNetworkId.parse(chain.id).reference)
      return { result: `0x${reference.toString(16)}` }
    }
    return method === 'net_version' ? cache.get(`${chain.id} net_version`) : undefined
  }
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
  const result = v.safeParse(RpcRequest, value)
  if (!result.success) {
    const [issue] = result.issues
    const field = v.getDotPath(issue) ?? 'body'
    const text = issue.received === 'undefined' ? 'is missing' : issue.message
    return failure(readId(value), rpcErrorCodes.invalidRequest, 'Invalid Request', [field, text])
  }
  const { id, method, params } = result.output
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
  return result.output
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
