import { GatefoldProvider } from '@gatefold/kit/react'
import { use, useEffect, useState, type ReactNode } from 'react'
import type { PublicConfig } from '../config.ts'
import { useNonce, VisitContext } from '../parts/visit.ts'
import { createKit } from './createKit.ts'
import { KitWallet } from './KitWallet.tsx'

type WalletProviderProps = { config: PublicConfig; children: ReactNode }

/** Gives the page its wallet. */
export function WalletProvider({ config, children }: WalletProviderProps) {
  const visit = use(VisitContext) // undefined in the browser, which has its own cookies
  const nonce = useNonce()
  const [kit] = useState(() => createKit(config, { cookie: visit?.cookie, nonce }))
  useDemoWallets(config)
  return (
    <GatefoldProvider kit={kit}>
      <KitWallet network={config.networks[0]}>{children}</KitWallet>
    </GatefoldProvider>
  )
}

/** Offers wallets with test keys, where the configuration says so. */
function useDemoWallets({ demoWallets, networks }: PublicConfig) {
  useEffect(() => {
    if (!demoWallets) return
    const chains = networks.map(({ id, name, rpcUrl }) => ({ id, name, rpcUrl }))
    void import('@gatefold/wallets').then((wallets) => wallets.installDemoWallets({ chains }))
  }, [demoWallets, networks])
}
