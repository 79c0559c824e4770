import { createGatefold } from '@gatefold/kit'
import { evm } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider } from '@gatefold/kit/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { http, WagmiProvider, createConfig } from 'wagmi'
import { mainnet } from 'wagmi/chains'
import { Account } from './Account'

// The site's own wagmi config, as it was before the site used Gatefold.
const config = createConfig({
  chains: [mainnet],
  transports: { [mainnet.id]: http() },
})
const kit = createGatefold({
  metadata: { name: 'My site', description: 'What it does', url: location.origin, icons: [] },
  networks: [mainnet],
  adapters: [evm({ config })],
})
const queryClient = new QueryClient()

export function App() {
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={queryClient}>
        <GatefoldProvider kit={kit} queryClient={queryClient}>
          <main>
            <h1>Gatefold with Vite and React 18</h1>
            <ConnectButton />
            <Account />
          </main>
        </GatefoldProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
