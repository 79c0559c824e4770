import { CaipAddress, limits } from '@gatefold/protocol'
import type { BalanceResponse, TokenBalance } from '@gatefold/protocol/gateway'

import type { FamilyParameters } from '../connection/account.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import type { Network } from '../networks/Network.ts'
import { current } from '../account/balance.ts'
import { servedCurrency } from './currency.ts'
import { imageOf, maxText, requireGateway, textOf } from './fromGateway.ts'
import { add, compare, fromNumber, multiply, toUnits } from './decimal.ts'

/** A token that an account holds, or the native currency. */
export type Token = {
  /** CAIP-10 address of the token; for the native currency, the network's CAIP-2 id. */
  id: string
  /** The network. */
  network: Network
  /** Address of the token's contract; undefined for the native currency. */
  address: string | undefined
  /** The name. */
  name: string
  /** The symbol, such as `USDC`. */
  symbol: string
  /** Number of decimals of a whole token. */
  decimals: number
  /** The balance, in the smallest unit. */
  units: bigint
  /** The balance in whole tokens, as a decimal number. */
  amount: string
  /** Price of a whole token in `TokenList.currency`, as a decimal number; undefined if there is no price. */
  price: string | undefined
  /**
   * Value of the whole balance in `TokenList.currency`, as a decimal number; undefined without a price and on test
   * networks.
   */
  value: string | undefined
  /** URL of the picture, on the gateway; undefined if its own picture is on another host. */
  image: string | undefined
  /** Whether it is probably spam: a token that is in no list and has no price. */
  isSpam: boolean
  /**
   * Whether a permit can replace an approval (ERC-2612). Only known for tokens
   * in swaps.
   */
  permit?: boolean | undefined
}

/** The tokens of an account on the site's networks. */
export type TokenList = {
  /** The tokens: the most valuable first, then those without a price. */
  tokens: readonly Token[]
  /** The currency of prices and values, as an ISO 4217 code. */
  currency: string
  /**
   * Value of all tokens that have a price, as a decimal number. Includes tokens
   * that the modal does not list.
   */
  total: string
  /** Whether balances or prices are missing because a network did not respond. */
  isPartial: boolean
}

/**
 * The tokens of the active account on the site's networks, with prices, from the gateway. The prices are in the visitor's
 * currency, or in US dollars if the gateway has none in this currency.
 *
 * @param parameters.refresh - reads the chain even if the gateway has cached the balances
 * @throws {NotConnectedError} no wallet is connected
 * @throws {GatewayError} there is no gateway, or it failed
 */
export async function getTokens(
  kit: Kit,
  parameters: getTokens.Parameters = {},
): Promise<TokenList> {
  const { account, network } = current(kit, parameters.namespace)
  const caipAddress = CaipAddress.format(network.caipNetworkId, account.address)
  const gateway = await requireGateway(kit)
  const currency = await servedCurrency(kit, parameters.currency)
  const body: { [key in keyof BalanceResponse]?: unknown } = await gateway.request(
    `/v1/account/${encodeURIComponent(account.address)}/balance`,
    {
      query: {
        currency: currency.toLowerCase(),
        ...(parameters.refresh && { forceUpdate: caipAddress }),
      },
      signal: parameters.signal,
    },
  )
  if (!Array.isArray(body.balances))
    throw new GatewayError('The gateway sent a malformed list of balances.')
  const { networks } = kit.getState()
  const { gateway: origin } = instanceOf(kit).options.endpoints
  const read = body.balances.flatMap((balance) => toToken(balance, networks, origin) ?? [])
  const tokens = uniqueTokens(read)
  return {
    tokens: tokens.toSorted(byValue),
    currency,
    total: add(...tokens.flatMap(({ value }) => value ?? [])),
    isPartial: Array.isArray(body.missing) && body.missing.length > 0,
  }
}

export declare namespace getTokens {
  /** The chain family whose account is read, and options. */
  type Parameters = FamilyParameters & {
    /** The currency of prices and values, as an ISO 4217 code; by default the visitor's choice. */
    currency?: string | undefined
    /** Reads the chain even if the gateway has cached the balances. */
    refresh?: boolean | undefined
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

/** A token of the response; undefined if it is malformed or on a network that the site does not have. */
function toToken(
  value: unknown,
  networks: readonly Network[],
  gateway: string | undefined,
): Token | undefined {
  const balance = (value ?? {}) as { [key in keyof TokenBalance]?: unknown }
  const { decimals: places, numeric } = (balance.quantity ?? {}) as Record<string, unknown>
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === balance.chainId)
  // Tokens without decimals are usually NFTs or spam. @see spec §3.7.2
  if (!network || typeof numeric !== 'string' || typeof places !== 'string' || places === '0')
    return undefined
  const address =
    typeof balance.address === 'string' ? CaipAddress.toAddress(balance.address) : undefined
  const symbol = textOf(balance.symbol, maxText.symbol)
  const name = textOf(balance.name, maxText.name) || symbol
  if (!symbol) return undefined
  const price = fromNumber(balance.price)
  try {
    return {
      id: address ? `${network.caipNetworkId}:${address}` : network.caipNetworkId,
      network,
      address,
      name,
      symbol,
      decimals: Number(places),
      units: toUnits(numeric, Number(places)),
      amount: numeric,
      price,
      value: price && !network.testnet ? multiply(numeric, price) : undefined,
      image: imageOf(balance.iconUrl, gateway),
      isSpam: (balance.flags as { is_spam?: unknown } | undefined)?.is_spam === true,
    }
  } catch {
    return undefined
  }
}

/** Removes duplicate tokens; the first entry of a token is kept. */
export function uniqueTokens(tokens: readonly Token[]): readonly Token[] {
  const first = new Map<string, Token>()
  for (const token of tokens) if (!first.has(idOf(token))) first.set(idOf(token), token)
  return [...first.values()]
}

/**
 * Whether the modal omits a token from the list because its value is below
 * `limits.smallBalance`. False for the active network's native currency, which
 * pays for transactions, and for tokens without a price.
 *
 * @param networkId - CAIP-2 id of the active network
 */
export function isSmall({ id, value }: Token, networkId: string | undefined): boolean {
  return value !== undefined && id !== networkId && compare(value, String(limits.smallBalance)) < 0
}

/** Token addresses are compared ignoring case. */
export function idOf({ id }: Pick<Token, 'id'>): string {
  return id.toLowerCase()
}

/** Compares tokens for `sort`: the most valuable first, then those without a price. */
export function byValue(a: Token, b: Token): number {
  if (a.value !== undefined && b.value !== undefined) return compare(b.value, a.value)
  return Number(a.value === undefined) - Number(b.value === undefined)
}
