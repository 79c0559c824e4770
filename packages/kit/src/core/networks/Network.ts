import { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import { gatewayChains } from '../../data/gatewayChains.ts'

/**
 * A configured network: a viem `Chain` with its CAIP-2 id and namespace, like AppKit's `CaipNetwork`.
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
    /** The chain's own URLs, without gateway and custom URLs. */
    chainDefault?: { http: readonly string[] } | undefined
  }
  blockExplorers?: { default: { name: string; url: string } } | undefined
  contracts?: Record<string, unknown> | undefined
  testnet?: boolean | undefined
  assets?: { imageId?: string | undefined; imageUrl?: string | undefined } | undefined
  deprecatedCaipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/** A network option of `createGatefold`: a viem `Chain`, or a network with its CAIP fields. */
export type NetworkInput = Omit<Network, 'chainNamespace' | 'caipNetworkId' | 'rpcUrls'> & {
  rpcUrls: Record<
    string,
    { http: readonly string[]; webSocket?: readonly string[] | undefined } | undefined
  >
  chainNamespace?: ChainNamespace.ChainNamespace | undefined
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/** Whether a chain is publicly known, so that its id can be sent to the wallet directory. */
export function isPublicChain(caipNetworkId: string): boolean {
  return gatewayChains.has(caipNetworkId)
}

/**
 * Adds the CAIP-2 id and namespace to a chain, and sets its RPC URLs in order: the site's custom URLs,
 * the gateway's URL (if it serves the chain by default), the chain's own URLs.
 *
 * @see spec §3.6.1, §7.12.1–3
 */
export function toNetwork(input: NetworkInput, options: toNetwork.Options = {}): Network {
  const chainNamespace = input.chainNamespace ?? ChainNamespace.defaultNamespace
  const caipNetworkId = input.caipNetworkId ?? CaipNetworkId.format(chainNamespace, input.id)
  const chainUrls = input.rpcUrls.default?.http ?? []
  const customUrls = options.customRpcUrls?.[caipNetworkId]?.map(({ url }) => url) ?? []
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
      default: { ...input.rpcUrls.default, http: [...customUrls, ...gateway, ...chainUrls] },
      chainDefault: { http: chainUrls },
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
