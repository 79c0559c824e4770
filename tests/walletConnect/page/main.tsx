import { createGatefold } from '@gatefold/kit'
import { evm } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider } from '@gatefold/kit/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { defineChain } from 'viem'
import { createConfig, http, WagmiProvider } from 'wagmi'

import { Hooks } from './Hooks.tsx'

/**
 * A site with its own wagmi configuration. Query parameters set its servers: `relay`, `verify`,
 * `rpc` (for chain 31337) and `rpc2` (for chain 31338). With `noReconnect`, wagmi does not reconnect on
 * mount.
 */
const query = new URLSearchParams(location.search)
const url = (name: string) => query.get(name) ?? undefined
const chain = (id: number, name: string, rpcUrl = '') =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
const local = chain(31337, 'Gatefold Local', url('rpc'))
const second = chain(31338, 'Gatefold Second', url('rpc2'))

const config = createConfig({
  chains: [local, second],
  transports: { [local.id]: http(), [second.id]: http() },
})

const kit = createGatefold({
  metadata: { name: 'Harbor', description: '', url: location.origin, icons: [] },
  networks: [local, second],
  adapters: [evm({ config })],
  endpoints: { relay: url('relay'), verify: url('verify') },
  customWallets: [
    {
      id: 'orrery',
      name: 'Orrery',
      homepage: 'https://orrery.example/',
      mobile_link: 'orrery://',
    },
  ],
})

const queryClient = new QueryClient()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WagmiProvider config={config} reconnectOnMount={!query.has('noReconnect')}>
      <QueryClientProvider client={queryClient}>
        <GatefoldProvider kit={kit} queryClient={queryClient}>
          <ConnectButton />
          <Hooks />
        </GatefoldProvider>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
