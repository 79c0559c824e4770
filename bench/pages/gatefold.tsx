import { createGatefold } from '@gatefold/kit'
import type { ViewName } from '@gatefold/kit'
import { evm } from '@gatefold/kit/evm'
import { GatefoldProvider, useKitAccount, useModal } from '@gatefold/kit/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { mainnet, optimism } from 'viem/chains'
import { WagmiProvider } from 'wagmi'

import { config } from './wagmi.ts'

/**
 * The bare page plus Gatefold, with the page's wagmi configuration. `?gateway=` and `?relay=` set the
 * servers; without them, the kit contacts none.
 */
const query = new URLSearchParams(location.search)
const gateway = query.get('gateway') ?? undefined
const relay = query.get('relay') ?? undefined

const kit = createGatefold({
  metadata: { name: 'Bench', description: 'A page to measure', url: location.origin, icons: [] },
  networks: [mainnet, optimism],
  adapters: [evm({ config })],
  endpoints: { gateway, relay },
  projectId: 'default',
})

function Page() {
  const { open, prefetch } = useModal()
  const { address } = useKitAccount()
  return address ? (
    <button type="button" onClick={() => open()}>
      <span data-testid="account">{address}</span>
    </button>
  ) : (
    <button
      type="button"
      data-testid="connect"
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={() => open()}
    >
      Connect
    </button>
  )
}

// For measurements of views that no button of this page opens.
Object.assign(globalThis, {
  openView: (view: ViewName) => void kit.open({ view } as Parameters<typeof kit.open>[0]),
})

const queryClient = new QueryClient()
createRoot(document.getElementById('root')!).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={queryClient}>
      <GatefoldProvider kit={kit} queryClient={queryClient}>
        <Page />
      </GatefoldProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
