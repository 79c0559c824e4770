import { CaipAddress } from '@gatefold/protocol'
import type { ConvertToken, PriceResponse } from '@gatefold/protocol/gateway'

import { featureNamespaces } from '../../../data/featureNamespaces.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import type { Network } from '../../networks/Network.ts'
import { servedCurrency } from '../currency.ts'
import { fromNumber, maxDecimals } from '../decimal.ts'
import {
  caipAddressOf,
  imageOf,
  maxText,
  nativeAddress,
  requireGateway,
  textOf,
} from '../fromGateway.ts'
import { idOf, uniqueTokens } from '../tokens.ts'
import type { Token } from '../tokens.ts'

/**
 * The tokens that the gateway swaps on a network, without balances and prices, the native currency first.
 *
 * @throws {GatewayError} there is no gateway, it failed, or (status 400) it has no swaps on this network
 */
export async function getSwapTokens(
  kit: Kit,
  parameters: { network: Network; signal?: AbortSignal | undefined },
): Promise<readonly Token[]> {
  const { network } = parameters
  const body = await requestOnNetwork(kit, 'tokens', parameters, 'Network not supported for Swaps')
  if (!Array.isArray(body.tokens))
    throw new GatewayError('The gateway sent a malformed list of tokens.')
  const { gateway: origin } = instanceOf(kit).options.endpoints
  return uniqueTokens(body.tokens.flatMap((token) => toToken(token, network, origin) ?? []))
}

/**
 * Adds the account's balances and prices to tokens, and appends the account's
 * other tokens. Omits spam, because a worthless token may have the name of
 * another.
 */
export function withBalances(
  tokens: readonly Token[],
  held: readonly Token[],
  network: Network,
): readonly Token[] {
  const own = held.filter((token) => token.network.caipNetworkId === network.caipNetworkId)
  const byId = new Map(own.map((token) => [idOf(token), token]))
  const listed = new Set(tokens.map(idOf))
  return [
    ...tokens.map((token) => {
      const { units, amount, price, value } = byId.get(idOf(token)) ?? token
      return { ...token, units, amount, price, value }
    }),
    ...own.filter((token) => !token.isSpam && !listed.has(idOf(token))),
  ]
}

/** Finds a token by its id or, for arguments of `open`, by its symbol. */
export function findToken(tokens: readonly Token[], wanted: string | undefined): Token | undefined {
  if (!wanted) return undefined
  const text = wanted.toLowerCase()
  return (
    tokens.find((token) => idOf(token) === text) ??
    tokens.find(({ symbol }) => symbol.toLowerCase() === text)
  )
}

/**
 * Prices of tokens in the visitor's currency (see `servedCurrency`), by `idOf`. A token without a price is missing.
 *
 * @throws {GatewayError} there is no gateway, or it failed
 */
export async function getPrices(
  kit: Kit,
  parameters: { tokens: readonly Token[]; currency: string; signal?: AbortSignal | undefined },
): Promise<Readonly<Record<string, string>>> {
  const { tokens, signal } = parameters
  const gateway = await requireGateway(kit)
  const addresses = tokens.map(caipAddressOf)
  const currency = (await servedCurrency(kit, parameters.currency)).toLowerCase()
  const body: { [key in keyof PriceResponse]?: unknown } = await gateway.request(
    '/v1/fungible/price',
    { body: { currency, addresses }, signal },
  )
  const list: unknown[] = Array.isArray(body.fungibles) ? body.fungibles : []
  const prices: Record<string, string> = {}
  for (const token of tokens) {
    const wanted = caipAddressOf(token).toLowerCase()
    const found = list.find((item) => {
      const { address } = (item ?? {}) as { address?: unknown }
      return typeof address === 'string' && address.toLowerCase() === wanted
    })
    const price = fromNumber((found as { price?: unknown } | undefined)?.price)
    if (price) prices[idOf(token)] = price
  }
  return prices
}

/**
 * The price of gas on a network, in the smallest unit of its native currency: `fast`, so that a swap is mined before its
 * price moves.
 *
 * @throws {GatewayError} there is no gateway, it failed, or (status 400) it has no gas price on this network
 */
export async function getGasPrice(
  kit: Kit,
  parameters: { network: Network; signal?: AbortSignal | undefined },
): Promise<bigint> {
  const message = 'Network not supported for Gas Price'
  const body = await requestOnNetwork(kit, 'gas-price', parameters, message)
  return parseUnits(body.fast ?? body.standard, 'gas price')
}

/** The status with which gateways refuse a network. */
const refusedStatus = 400

/** @param refusal - the message of the error if the network has no swaps. @see spec §8.4 */
async function requestOnNetwork(
  kit: Kit,
  path: 'tokens' | 'gas-price',
  { network, signal }: { network: Network; signal?: AbortSignal | undefined },
  refusal: string,
): Promise<Record<string, unknown>> {
  if (!featureNamespaces.swaps.includes(network.chainNamespace))
    throw new GatewayError(refusal, { status: refusedStatus })
  const gateway = await requireGateway(kit)
  const query = { chainId: network.caipNetworkId }
  try {
    return await gateway.request(`/v1/convert/${path}`, { query, signal })
  } catch (cause) {
    if (cause instanceof GatewayError && cause.status === refusedStatus)
      throw new GatewayError(refusal, { status: refusedStatus, cause })
    throw cause
  }
}

/** Parses an amount in the smallest unit. @throws {GatewayError} it is not one */
export function parseUnits(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value))
    throw new GatewayError(`The gateway sent a malformed ${name}.`)
  return BigInt(value)
}

function toToken(value: unknown, network: Network, gateway: string | undefined): Token | undefined {
  const token = (value ?? {}) as { [key in keyof ConvertToken]?: unknown }
  const { decimals } = token
  if (typeof decimals !== 'number') return undefined
  const parsed = CaipAddress.safeParse(token.address)
  if (parsed?.caipNetworkId !== network.caipNetworkId) return undefined
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals) return undefined
  const symbol = textOf(token.symbol, maxText.symbol)
  if (!symbol) return undefined
  const isNative = parsed.address.toLowerCase() === nativeAddress
  return {
    id: isNative ? network.caipNetworkId : `${network.caipNetworkId}:${parsed.address}`,
    network,
    address: isNative ? undefined : parsed.address,
    name: textOf(token.name, maxText.name) || symbol,
    symbol,
    decimals,
    units: 0n,
    amount: '0',
    price: undefined,
    value: undefined,
    image: imageOf(token.logoUri, gateway),
    isSpam: false,
    permit: token.eip2612 === true,
  }
}
