import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { useConnect, useConnection, useConnectors, useDisconnect, WagmiProvider } from 'wagmi'

import { config } from './wagmi.ts'

/**
 * The baseline: only React, wagmi, viem and TanStack Query, with a native
 * `dialog`.
 */
function Page() {
  const dialog = useRef<HTMLDialogElement>(null)
  const { address } = useConnection()
  const { mutate: connect } = useConnect()
  const { mutate: disconnect } = useDisconnect()
  const connectors = useConnectors()
  if (address)
    return (
      <p>
        <span data-testid="account">{address}</span>{' '}
        <button type="button" onClick={() => disconnect()}>
          Disconnect
        </button>
      </p>
    )
  return (
    <>
      <button type="button" data-testid="connect" onClick={() => dialog.current?.showModal()}>
        Connect
      </button>
      <dialog ref={dialog}>
        {connectors.map((connector) => (
          <button type="button" key={connector.uid} onClick={() => connect({ connector })}>
            {connector.name}
          </button>
        ))}
      </dialog>
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>
  </WagmiProvider>,
)
