import { StrictMode } from 'react'

import type { Kit } from '../src/core/kit/Kit.ts'
import { memoryAdapter } from '../src/core/testing/memoryAdapter.ts'
import { cookieStorage, gatefoldCookie } from '../src/core/storage/storage.ts'
import type { KeyValueStorage } from '../src/core/storage/storage.ts'
import { createGatefold } from '../src/exports/createGatefold.ts'
import { AccountButton, ConnectButton, NetworkButton } from '../src/ui/buttons/ConnectButton.tsx'
import { WalletButton } from '../src/ui/buttons/WalletButton.tsx'
import { GatefoldProvider } from '../src/exports/GatefoldProvider.ts'
import { networks } from './networks.ts'
import { halyard, nacre } from './scenes/connectors.ts'

/** The storage for each deliberate misconfiguration. */
const mistakes: Record<string, KeyValueStorage | undefined> = {
  'no-ssr': undefined, // localStorage
  'no-cookie': cookieStorage(),
}

/**
 * Creates the kit for a server-rendered page. Runs on the server and in the browser.
 *
 * @param setup - a deliberate misconfiguration: `no-ssr` or `no-cookie`
 * @param cookies - the cookies of the request and, in the browser, those of the page
 */
export function createServedKit(locale: string, cookies: string, setup?: string | null): Kit {
  return createGatefold({
    metadata: {
      name: 'Book',
      description: '',
      url: globalThis.location?.origin ?? 'https://book.example',
      icons: [],
    },
    networks,
    adapters: [memoryAdapter({ connectors: [halyard, nacre] }).factory],
    storage: setup ? mistakes[setup] : cookieStorage(gatefoldCookie(cookies)),
    locale,
    locales: { de: () => import('../src/ui/strings/de.ts') },
    ssr: setup !== 'no-ssr',
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
