import { type Chain, defineChain } from 'viem'
import { addresses } from './addresses.ts'

/**
 * The first local network, with names, pools and tokens. It is not flagged as a testnet, because it
 * stands in for a main network.
 *
 * @param rpcUrl - HTTP URL; WebSocket uses the same host and port
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

/** The second local network: the same contracts, different balances, no ENS. */
export function gatefoldSecond(rpcUrl = 'http://127.0.0.1:8546') {
  return defineChain({
    id: 31338,
    name: 'Gatefold Second',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl], webSocket: [rpcUrl.replace(/^http/, 'ws')] } },
    contracts: { multicall3: { address: addresses.multicall3 } },
  }) satisfies Chain
}
