import { ChainNamespace } from '@gatefold/protocol'
import type { CaipNetworkId } from '@gatefold/protocol'

import { isGatewayChain } from '../../data/gatewayChains.ts'

/** A configured network: a viem `Chain` with its CAIP-2 id and namespace, like AppKit's `CaipNetwork`. */
export type Network = {
  /** The chain id; on EVM a number. */
  id: number | string
  /** The name, as the modal shows it. */
  name: string
  /** The chain family, such as `eip155`. */
  chainNamespace: ChainNamespace.ChainNamespace
  /** The CAIP-2 id, such as `eip155:1`. */
  caipNetworkId: CaipNetworkId.CaipNetworkId
  /** The currency that pays for transactions. */
  nativeCurrency: Currency
  /** The RPC URLs, in the order in which they are tried. */
  rpcUrls: {
    /** The site's custom URLs, then the gateway's, then the chain's own. */
    default: RpcUrls
    /** The chain's own URLs, without gateway and custom URLs. */
    chainDefault?: RpcUrls | undefined
  }
  /** The block explorer that the modal links to. */
  blockExplorers?:
    | {
        /** The explorer. */
        default: Explorer
      }
    | undefined
  /** Addresses of well-known contracts, as in viem's chains. */
  contracts?: Record<string, unknown> | undefined
  /** Whether it is a test network. Names, avatars and balances are not read from it. */
  testnet?: boolean | undefined
  /** The network's image. */
  assets?: NetworkAssets | undefined
  /** An earlier CAIP-2 id, under which AppKit may have stored the network. */
  deprecatedCaipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/** A currency. */
export type Currency = {
  /** The name, such as `Ether`. */
  name: string
  /** The symbol, such as `ETH`. */
  symbol: string
  /** Number of decimals of a whole unit, 18 for ether. */
  decimals: number
}

/** RPC URLs of a network. */
export type RpcUrls = {
  /** HTTP URLs, in order. */
  http: readonly string[]
  /** WebSocket URLs. */
  webSocket?: readonly string[] | undefined
}

/** A block explorer. */
export type Explorer = {
  /** The name, as the modal shows it. */
  name: string
  /** The URL, to which `/address/…` and `/tx/…` are appended. */
  url: string
}

/** A network's image. */
export type NetworkAssets = {
  /** Id of an image on the gateway. */
  imageId?: string | undefined
  /** URL of an image; `chainImages` takes precedence. */
  imageUrl?: string | undefined
}

/** A network option of `createGatefold`: a viem `Chain`, or a network with its CAIP fields. */
export type NetworkInput = Omit<Network, 'chainNamespace' | 'caipNetworkId' | 'rpcUrls'> & {
  /** RPC URLs by kind; `default` is used. */
  rpcUrls: Record<string, RpcUrls | undefined>
  /**
   * The chain family.
   *
   * @default 'eip155'
   */
  chainNamespace?: ChainNamespace.ChainNamespace | undefined
  /**
   * The CAIP-2 id.
   *
   * @default `chainNamespace` and `id`
   */
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/**
 * Adds the CAIP-2 id and namespace to a chain, and sets its RPC URLs in order: the site's custom URLs,
 * the gateway's URL (if it serves the chain by default), the chain's own URLs.
 *
 * @see spec §3.6.1, §7.12.1–3
 */
export function toNetwork(input: NetworkInput, options: toNetwork.Options = {}): Network {
  const chainNamespace = input.chainNamespace ?? ChainNamespace.defaultNamespace
  const caipNetworkId = input.caipNetworkId ?? (`${chainNamespace}:${input.id}` as const)
  const chainUrls = input.rpcUrls.default?.http ?? []
  const customUrls = options.customRpcUrls?.[caipNetworkId]?.map(({ url }) => url) ?? []
  const gateway =
    options.gateway && isGatewayChain(caipNetworkId)
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
