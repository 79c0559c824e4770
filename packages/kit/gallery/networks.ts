import type { NetworkInput } from '../src/core/networks/Network.ts'

/** A mock network; its image is derived from its id. */
export function network(id: number, name: string, symbol = 'ETH'): NetworkInput {
  return {
    id,
    name,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockExplorers: { default: { name: 'Explorer', url: 'https://explorer.example' } },
    assets: { imageUrl: `/art/network-${id}.svg` },
  }
}

/** The gallery's networks; the first is the default. */
export const networks: [NetworkInput, ...NetworkInput[]] = [
  network(1, 'Ethereum'),
  network(10, 'OP Mainnet'),
  network(42161, 'Arbitrum One'),
  network(137, 'Polygon', 'POL'),
  network(8453, 'Base'),
  network(100, 'Gnosis', 'xDAI'),
]
