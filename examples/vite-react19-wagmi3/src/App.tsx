import { createGatefold } from '@gatefold/kit'
import { evm, evmConfig } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider } from '@gatefold/kit/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { mainnet } from 'viem/chains'
import { WagmiProvider } from 'wagmi'
import { Account } from './Account'

// The kit's wagmi config: wagmi's hooks use the wallet that the visitor connects in the modal.
const kit = createGatefold({
  metadata: { name: 'My site', description: 'What it does', url: location.origin, icons: [] },
  networks: [mainnet],
  adapters: [evm()],
})
const queryClient = new QueryClient()

export function App() {
  return (
    <WagmiProvider config={evmConfig(kit)} reconnectOnMount={false}>
      <QueryClientProvider client={queryClient}>
        <GatefoldProvider kit={kit} queryClient={queryClient}>
          <main>
            <h1>Gatefold with Vite and React 19</h1>
            <ConnectButton />
            <Account />
          </main>
        </GatefoldProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
