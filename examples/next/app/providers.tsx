'use client'

import { cookieStorage, createGatefold } from '@gatefold/kit'
import { evm } from '@gatefold/kit/evm'
import { GatefoldProvider } from '@gatefold/kit/react'
import { type ReactNode, useState } from 'react'
import { mainnet } from 'viem/chains'

/** Creates one kit for each request on the server, and one for each page in the browser. */
export function Providers({ cookie, children }: { cookie: string; children: ReactNode }) {
  const [kit] = useState(() =>
    createGatefold({
      metadata: {
        name: 'My site',
        description: 'What it does',
        // Wallets compare it with the page's origin, which differs in development.
        url: typeof location === 'undefined' ? 'https://my.site' : location.origin,
        icons: [],
      },
      networks: [mainnet],
      adapters: [evm()],
      ssr: true,
      storage: cookieStorage(cookie),
    }),
  )
  return <GatefoldProvider kit={kit}>{children}</GatefoldProvider>
}
