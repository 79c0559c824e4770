import { cookieStorage, createGatefold, type Kit, type NetworkInput } from '@gatefold/kit'
import { embedded } from '@gatefold/kit/embedded'
import { evm } from '@gatefold/kit/evm'
import type { Network, PublicConfig } from '../config.ts'

export type RequestOptions = {
  /** The kit's cookie of the request, from `gatefoldCookie`; used to render the connected account. */
  cookie: string
  /** Nonce of the page's content security policy. */
  nonce: string | undefined
}

/** Creates the Book's kit, without side effects. */
export function createKit(config: PublicConfig, { cookie, nonce }: RequestOptions): Kit {
  const [first, ...others] = config.networks
  const swapContracts = Object.fromEntries(
    config.networks.map(({ id, swapContracts: contracts = [] }) => [id, contracts]),
  )
  return createGatefold({
    metadata: {
      name: 'Book of Ethereum',
      description: 'Journey through the Ethereum saga',
      url: config.origin,
      icons: [`${config.origin}/favicon.svg`],
    },
    networks: [toNetwork(first), ...others.map(toNetwork)],
    adapters: [evm({ swapContracts })],
    connectors: config.frame ? [embedded()] : [],
    // One server has the gateway, relay and verify roles; the frame has its own
    // origin.
    endpoints: {
      gateway: config.gateway,
      relay: config.gateway,
      verify: config.gateway,
      frame: config.frame,
    },
    projectId: config.projectId,
    features: {
      socials: config.socials.length > 0 && config.socials,
      passkey: config.passkey,
      connectMethodsOrder: config.frame ? ['email', 'social', 'passkey', 'wallet'] : undefined,
    },
    themeMode: 'dark',
    themeVariables: {
      '--gf-accent': '#CD9D6A',
      '--gf-border-radius-master': '10px',
      '--gf-font-family': 'var(--sans)',
    },
    ssr: true,
    storage: cookieStorage(cookie),
    ...(nonce && { nonce }),
  })
}

function toNetwork(network: Network): NetworkInput {
  const { id, name, rpcUrl, symbol, decimals, testnet, explorerUrl, image, contracts } = network
  const addresses = Object.entries(contracts ?? {}).map(([key, address]) => [key, { address }])
  return {
    id,
    name,
    nativeCurrency: { name: symbol, symbol, decimals },
    rpcUrls: { default: { http: [rpcUrl] } },
    blockExplorers: explorerUrl ? { default: { name: 'Explorer', url: explorerUrl } } : undefined,
    contracts: Object.fromEntries(addresses),
    testnet,
    assets: { imageUrl: image },
  }
}
