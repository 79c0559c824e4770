import { gatefoldCookie } from '@gatefold/kit'
import { GatefoldProvider } from '@gatefold/kit/react'
import { use, useEffect, useState, type ReactNode } from 'react'
import type { PublicConfig } from '../config.ts'
import { useNonce, RequestContext } from '../parts/requestContext.ts'
import { createKit } from './createKit.ts'
import { KitWallet } from './KitWallet.tsx'

type WalletProviderProps = { config: PublicConfig; children: ReactNode }

/** Provides the kit and the page's wallet. */
export function WalletProvider({ config, children }: WalletProviderProps) {
  const request = use(RequestContext) // undefined in the browser
  const nonce = useNonce()
  const [kit] = useState(() => {
    const cookie = gatefoldCookie(request ? request.cookie : document.cookie)
    return createKit(config, { cookie, nonce })
  })
  useDemoWallets(config)
  return (
    <GatefoldProvider kit={kit}>
      <KitWallet network={config.networks[0]}>{children}</KitWallet>
    </GatefoldProvider>
  )
}

/** Installs the demo wallets, if configured. */
function useDemoWallets({ demoWallets, networks }: PublicConfig) {
  useEffect(() => {
    if (!demoWallets) return
    const chains = networks.map(({ id, name, rpcUrl }) => ({ id, name, rpcUrl }))
    void import('@gatefold/wallets').then((wallets) => wallets.installDemoWallets({ chains }))
  }, [demoWallets, networks])
}
