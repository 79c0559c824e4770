import { StrictMode } from 'react'

import type { Kit } from '../src/core/kit/Kit.ts'
import { memoryAdapter } from '../src/core/testing/memoryAdapter.ts'
import { cookieStorage } from '../src/core/storage/storage.ts'
import { createGatefold } from '../src/exports/createGatefold.ts'
import { AccountButton, ConnectButton, NetworkButton } from '../src/ui/buttons/ConnectButton.tsx'
import { WalletButton } from '../src/ui/buttons/WalletButton.tsx'
import { GatefoldProvider } from '../src/ui/GatefoldProvider.tsx'
import { networks } from './networks.ts'
import { halyard, nacre } from './scenes/connectors.ts'

/**
 * An instance as a site makes it that draws on a server first; there and in the page the same.
 *
 * @param cookie - on a server: the header of that name
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

/** Every button a page can have, with widths that only style rules know. */
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
