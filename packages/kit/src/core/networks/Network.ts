import { CaipNetworkId } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

/**
 * A configured chain: a viem `Chain` with CAIP fields, as the official kit's `CaipNetwork`.
 *
 * @see spec §3.6.1
 */
export type Network = {
  id: number | string
  name: string
  chainNamespace: ChainNamespace.ChainNamespace
  caipNetworkId: CaipNetworkId.CaipNetworkId
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: {
    default: { http: readonly string[]; webSocket?: readonly string[] | undefined }
    /** The URLs of the chain's definition, without gateway and custom URLs. */
    chainDefault?: { http: readonly string[] } | undefined
  }
  blockExplorers?: { default: { name: string; url: string } } | undefined
  contracts?: Record<string, unknown> | undefined
  testnet?: boolean | undefined
  assets?: { imageId?: string | undefined; imageUrl?: string | undefined } | undefined
  deprecatedCaipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/** What `createGatefold({ networks })` accepts: a viem `Chain`, or a network with its CAIP fields. */
export type NetworkInput = Omit<Network, 'chainNamespace' | 'caipNetworkId' | 'rpcUrls'> & {
  rpcUrls: Record<
    string,
    { http: readonly string[]; webSocket?: readonly string[] | undefined } | undefined
  >
  chainNamespace?: ChainNamespace.ChainNamespace | undefined
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/**
 * Chains that use the gateway's RPC by default if a gateway is configured.
 *
 * @see spec §7.12.2; docs/contracts.md
 */
const gatewayChains: ReadonlySet<string> = new Set([
  ...[
    1, 10, 56, 97, 100, 137, 300, 324, 1101, 1301, 1329, 5000, 5003, 8217, 8453, 17000, 42161,
    42220, 43113, 43114, 59144, 80002, 80084, 84532, 421614, 7777777, 11155111, 11155420, 999999999,
    1313161554, 1313161555,
  ].map((id) => `eip155:${id}`),
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  'near:mainnet',
  'bip122:000000000019d6689c085ae165831e93',
  'bip122:000000000933ea01ad0ee984209779ba',
])

/** Whether a chain is public, so that directories and services know it. */
export function isPublicChain(caipNetworkId: string): boolean {
  return gatewayChains.has(caipNetworkId)
}

/**
 * Adds CAIP fields to a chain and orders its RPC URLs: custom URLs of the site, the gateway (for the
 * chains it serves by default), the chain's own.
 *
 * @see spec §3.6.1, §7.12.1–3
 */
export function toNetwork(input: NetworkInput, options: toNetwork.Options = {}): Network {
  const chainNamespace = input.chainNamespace ?? 'eip155'
  const caipNetworkId = input.caipNetworkId ?? CaipNetworkId.format(chainNamespace, input.id)
  const own = input.rpcUrls.default?.http ?? []
  const custom = options.customRpcUrls?.[caipNetworkId]?.map(({ url }) => url) ?? []
  const gateway =
    options.gateway && gatewayChains.has(caipNetworkId)
      ? [gatewayRpcUrl({ ...options, gateway: options.gateway, caipNetworkId })]
      : []
  const imageUrl = options.chainImages?.[input.id] ?? input.assets?.imageUrl
  return {
    ...input,
    chainNamespace,
    caipNetworkId,
    rpcUrls: {
      ...input.rpcUrls,
      default: { ...input.rpcUrls.default, http: [...custom, ...gateway, ...own] },
      chainDefault: { http: own },
    },
    assets: { ...input.assets, imageUrl },
  }
}

export declare namespace toNetwork {
  type Options = {
    gateway?: string | undefined
    projectId?: string | undefined
    customRpcUrls?: Record<string, readonly { url: string }[]> | undefined
    chainImages?: Record<string | number, string> | undefined
  }
}

/** The gateway's JSON-RPC URL for a chain. @see spec §7.12.3 */
export function gatewayRpcUrl(parameters: {
  gateway: string
  caipNetworkId: string
  projectId?: string | undefined
}): string {
  const url = new URL('/v1/', parameters.gateway)
  url.searchParams.set('chainId', parameters.caipNetworkId)
  if (parameters.projectId) url.searchParams.set('projectId', parameters.projectId)
  return url.href
}
