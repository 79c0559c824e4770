import { StrictMode } from 'react'

import type { Kit } from '../src/core/kit/Kit.ts'
import { memoryAdapter } from '../src/core/testing/memoryAdapter.ts'
import { cookieStorage } from '../src/core/storage/storage.ts'
import { createGatefold } from '../src/exports/createGatefold.ts'
import { AccountButton, ConnectButton, NetworkButton } from '../src/ui/buttons/ConnectButton.tsx'
import { WalletButton } from '../src/ui/buttons/WalletButton.tsx'
import { GatefoldProvider } from '../src/exports/GatefoldProvider.ts'
import { networks } from './networks.ts'
import { halyard, nacre } from './scenes/connectors.ts'

/**
 * Creates the kit for a server-rendered page. Runs on the server and in the browser.
 *
 * @param cookie - the `cookie` header, on the server
 */
export function createServedKit(locale: string, cookie?: string): Kit {
  return createGatefold({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks,
    adapters: [memoryAdapter({ connectors: [halyard, nacre] }).factory],
    storage: cookieStorage(cookie),
    locale,
    locales: { de: () => import('../src/ui/strings/de.ts') },
    ssr: true,
  })
}

/** All buttons of the kit, with responsive variants. */
export function PageButtons({ kit }: { kit: Kit }) {
  return (
    <StrictMode>
      <GatefoldProvider kit={kit}>
        <ConnectButton chainStatus="icon" showBalance={{ smallScreen: false, largeScreen: true }} />
        <NetworkButton />
        <AccountButton />
        <WalletButton wallet={halyard.id} />
        <WalletButton wallet="MetaMask" />
      </GatefoldProvider>
    </StrictMode>
  )
}
