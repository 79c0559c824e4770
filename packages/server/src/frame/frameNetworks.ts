import type { ChainData } from '../money/chainData/ChainData.ts'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

/**
 * The networks that official frame clients know and for which there is no built-in chain data: the frame needs only
 * their name and native currency. Several of the test networks have been shut down since.
 *
 * @see spec §7.20
 */
export const frameNetworks: Readonly<Record<string, Pick<ChainData, 'name' | 'nativeCurrency'>>> = {
  'eip155:5': { name: 'Goerli', nativeCurrency: ether },
  'eip155:97': {
    name: 'BNB Smart Chain Testnet',
    nativeCurrency: { name: 'BNB', symbol: 'tBNB', decimals: 18 },
  },
  'eip155:280': { name: 'ZKsync Era Goerli', nativeCurrency: ether },
  'eip155:420': { name: 'OP Goerli', nativeCurrency: ether },
  // Was Zora Goerli; the id now belongs to another network.
  'eip155:999': {
    name: 'HyperEVM',
    nativeCurrency: { name: 'Hyperliquid', symbol: 'HYPE', decimals: 18 },
  },
  'eip155:42220': {
    name: 'Celo',
    nativeCurrency: { name: 'Celo', symbol: 'CELO', decimals: 18 },
  },
  'eip155:43113': {
    name: 'Avalanche Fuji',
    nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  },
  'eip155:80001': {
    name: 'Polygon Mumbai',
    nativeCurrency: { name: 'MATIC', symbol: 'MATIC', decimals: 18 },
  },
  'eip155:84531': { name: 'Base Goerli', nativeCurrency: ether },
  'eip155:84532': { name: 'Base Sepolia', nativeCurrency: ether },
  'eip155:421613': { name: 'Arbitrum Goerli', nativeCurrency: ether },
  'eip155:7777777': { name: 'Zora', nativeCurrency: ether },
  'eip155:11155111': { name: 'Sepolia', nativeCurrency: ether },
  'eip155:1313161555': { name: 'Aurora Testnet', nativeCurrency: ether },
}
