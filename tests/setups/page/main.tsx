import { createGatefold } from '@gatefold/kit'
import type { GatefoldOptions } from '@gatefold/kit'
import { gatefoldLocal, gatefoldSwapContracts } from '@gatefold/kit/chains'
import { evm } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider } from '@gatefold/kit/react'
import { createTestWallet } from '@gatefold/wallets/testing'
import type { Faults } from '@gatefold/wallets/testing'
import { createRoot } from 'react-dom/client'
import { mainnet } from 'viem/chains'

/** Changes to the README's snippet. The query parameter `setup` contains them as JSON. */
export type Setup = Partial<Omit<GatefoldOptions, 'networks' | 'adapters' | 'metadata'>> & {
  /** `metadata.url`; the page's origin by default. */
  url?: string
  /** RPC URL of the local network; without it, the site is on mainnet, as in the README. */
  localRpc?: string
  /** The wallet in the browser: RPC URLs by chain id, and its faults. */
  wallet?: { chains: Record<number, string>; faults?: Partial<Faults> }
}

const query = new URLSearchParams(location.search)
const setup = JSON.parse(query.get('setup') ?? '{}') as Setup
const { url = location.origin, localRpc, wallet, ...options } = setup

if (wallet)
  createTestWallet({
    chains: Object.entries(wallet.chains).map(([id, rpcUrl]) => ({ id: Number(id), rpcUrl })),
    faults: wallet.faults,
  }).announce()

const kit = createGatefold({
  metadata: { name: 'My site', description: 'What it does', url, icons: [] },
  networks: [localRpc ? gatefoldLocal(localRpc) : mainnet],
  adapters: [evm({ swapContracts: gatefoldSwapContracts })],
  ...options,
})

createRoot(document.getElementById('root')!).render(
  <GatefoldProvider kit={kit}>
    <ConnectButton />
  </GatefoldProvider>,
)
