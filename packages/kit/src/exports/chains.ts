import type { Chain } from 'viem'

/**
 * The first chain of the local stack (`npm start`), with names, pools and tokens. For development: its keys are
 * public. It is not flagged as a testnet, because it simulates a main network.
 *
 * @param rpcUrl - HTTP URL; WebSocket uses the same host and port
 * @example
 * const adapters = [evm({ swapContracts: gatefoldSwapContracts })]
 * createGatefold({ metadata, networks: [gatefoldLocal()], adapters, endpoints: 'http://localhost:3001' })
 */
export function gatefoldLocal(rpcUrl = 'http://127.0.0.1:8545') {
  return {
    ...shared(rpcUrl),
    id: 31337,
    name: 'Gatefold Local',
    contracts: {
      multicall3,
      ensUniversalResolver: { address: '0x2c729c6a32068c19A774bBa86f80BBeC42298b84' },
    },
  } as const satisfies Chain
}

/** The second chain of the local stack: the same contracts, different balances, no names. */
export function gatefoldSecond(rpcUrl = 'http://127.0.0.1:8546') {
  return {
    ...shared(rpcUrl),
    id: 31338,
    name: 'Gatefold Second',
    contracts: { multicall3 },
  } as const satisfies Chain
}

/**
 * The swap contracts on both chains, for `evm({ swapContracts:
 * gatefoldSwapContracts })`.
 */
export const gatefoldSwapContracts: Record<number, readonly `0x${string}`[]> = {
  31337: ['0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'],
  31338: ['0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'],
}

const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const

function shared(rpcUrl: string) {
  return {
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl], webSocket: [rpcUrl.replace(/^http/, 'ws')] } },
  } as const
}
