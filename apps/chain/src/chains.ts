import { type Chain, defineChain } from 'viem'
import { addresses } from './addresses.ts'

/**
 * The first local network: names, pools, tokens. Real contracts and play money, but not flagged as
 * a test network, since it stands in for a main one.
 *
 * @param rpcUrl - HTTP; the same address answers WebSockets
 */
export function gatefoldLocal(rpcUrl = 'http://127.0.0.1:8545') {
  return defineChain({
    id: 31337,
    name: 'Gatefold Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl], webSocket: [rpcUrl.replace(/^http/, 'ws')] } },
    contracts: {
      multicall3: { address: addresses.multicall3 },
      ensUniversalResolver: { address: addresses.ensUniversalResolver },
    },
  }) satisfies Chain
}

/** The second local network: the same contracts, other balances, no names. */
export function gatefoldSecond(rpcUrl = 'http://127.0.0.1:8546') {
  return defineChain({
    id: 31338,
    name: 'Gatefold Second',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl], webSocket: [rpcUrl.replace(/^http/, 'ws')] } },
    contracts: { multicall3: { address: addresses.multicall3 } },
  }) satisfies Chain
}
