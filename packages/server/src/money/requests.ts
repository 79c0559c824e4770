import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import type { ReasonCode } from '@gatefold/protocol/gateway'
import type * as v from 'valibot'
import { readTokenSymbols } from '../gateway/directory.ts'
import { addressOf, enter, limit, readHeader, type HttpContext } from '../http/access.ts'
import { publicAnswers } from '../http/answers.ts'
import { check, readJson, readQuery } from '../http/input.ts'
import type { Handler } from '../http/Role.ts'
import type { Project } from '../storage/projects.ts'
import { findListed, keyOf, type Token } from './chainData/ChainData.ts'
import type { MoneyContext } from './context.ts'
import type { EvmChain } from './evm/createEvmChain.ts'

export const { json, refuse } = publicAnswers

/**
 * Cost of a request in rate-limit tokens, because it causes calls to upstreams.
 */
export const requestCost = 5

/** A request that is refused with a 400 because of a value that a schema cannot check. */
export class RefusedError extends Error {
  readonly field: string
  readonly code: ReasonCode | undefined
  constructor(field: string, description: string, code?: ReasonCode) {
    super(description)
    this.field = field
    this.code = code
  }
}

/** Creates a handler that checks the project and the query, then calls `answer`. */
export function handleQuery<Schema extends v.GenericSchema>(
  context: MoneyContext,
  schema: Schema,
  answer: (query: v.InferOutput<Schema>, c: HttpContext, project: Project) => Promise<Response>,
): Handler {
  return async (c) => {
    const project = await enter(context, c, { refusedOrigin: 401, cost: requestCost })
    if (project instanceof Response) return project
    const { value, reasons } = check(schema, readQuery(c), 'query')
    return reasons ? refuse(400, reasons) : answer(value, c, project)
  }
}

/**
 * Creates a handler that checks the project, whose id may be in the body, and
 * the body, then calls `answer`. The rate-limit tokens of the address are taken
 * before the body is read.
 *
 * @param options.anyOriginByDefault - whether a request without a project id
 * may come from any origin, because official clients omit the id. Otherwise the
 * default project must allow the origin.
 */
export function handleBody<
  Schema extends v.GenericSchema<unknown, { projectId?: string | undefined }>,
>(
  context: MoneyContext,
  schema: Schema,
  maxBytes: number,
  answer: (body: v.InferOutput<Schema>, c: HttpContext, project: Project) => Promise<Response>,
  options: { anyOriginByDefault?: boolean } = {},
): Handler {
  return async (c) => {
    const limited = limit(context, 'address', addressOf(context, c), requestCost - 1)
    if (limited) return limited
    const body = await readJson(c, maxBytes, context)
    if ('refusal' in body) return body.refusal
    const { projectId: given } = (body.value ?? {}) as { projectId?: unknown }
    const projectId = typeof given === 'string' && given !== '' ? given : c.req.query('projectId')
    const isAnyOrigin = options.anyOriginByDefault && !projectId
    const project = await enter(context, c, {
      refusedOrigin: isAnyOrigin ? undefined : 401,
      projectId: projectId || undefined,
    })
    if (project instanceof Response) return project
    const { value, reasons } = check(schema, body.value)
    return reasons ? refuse(422, reasons) : answer(value, c, project)
  }
}

/** @throws {RefusedError} if the chain has no upstream or no data. */
export function requireChain({ evmChains }: MoneyContext, id: string, field = 'chainId'): EvmChain {
  const chain = evmChains.get(id)
  if (chain) return chain
  const supported = [...evmChains.keys()].join(', ')
  throw new RefusedError(
    field,
    `${field}: the chain ${id.slice(0, 50)} is not supported; supported chains: ${supported}`,
  )
}

/** @throws {RefusedError} if the currency has no exchange rate in the configuration. */
export function requireCurrency({ rates }: MoneyContext, currency: string): void {
  const { currencies } = rates
  if (currencies.includes(currency)) return
  throw new RefusedError(
    'currency',
    `currency: ${currency.slice(0, 10)} is not supported; supported currencies: ${currencies.join(', ')}`,
  )
}

/** The symbols of the tokens that the gateway has images for. */
const pictured = readTokenSymbols()

/**
 * The image of a native currency or listed token: the token's own image,
 * otherwise the gateway's image for its symbol. Empty for other tokens, because
 * they could use the symbol of a listed token, and if there is no image. The
 * URL is absolute, because it is used in pages.
 *
 * @param token - without an address, the native currency.
 */
export function iconOf(
  c: HttpContext,
  { data }: EvmChain,
  token: Pick<Token, 'symbol' | 'logoURI'> & { address?: string | undefined },
): string {
  const { address, logoURI } = token
  if (address !== undefined && !isNative(address) && !findListed(data, address)) return ''
  if (logoURI !== undefined) return logoURI
  if (!pictured.has(token.symbol.toUpperCase())) return ''
  return `${originOf(c)}/public/getTokenImage/${encodeURIComponent(token.symbol)}`
}

/**
 * The origin under which the client reaches this server. Affects only links in
 * the client's own response.
 */
export function originOf(c: HttpContext): string {
  const { host, protocol } = new URL(c.req.url)
  const forwarded = readHeader(c, 'x-forwarded-proto')
  return `${forwarded === 'https' ? 'https:' : protocol}//${host}`
}

/** A token in a response. */
export function toCaip({ id }: EvmChain, address: string): string {
  return `${id}:${address}`
}

export function isNative(address: string): boolean {
  return keyOf(address) === nativeTokenAddress
}
