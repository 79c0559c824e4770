import { useMemo, type ReactNode } from 'react'
import type { PublicConfig } from '../config.ts'
import { useToast } from '../parts/ToastArea.tsx'
import { WalletContext, type Wallet } from './wallet.ts'

type WalletProviderProps = { config: PublicConfig; children: ReactNode }

/** Gives the page its wallet. */
export function WalletProvider({ config, children }: WalletProviderProps) {
  const toast = useToast()
  const wallet = useMemo<Wallet>(() => disconnected(config, toast), [config, toast])
  return <WalletContext value={wallet}>{children}</WalletContext>
}

function disconnected(config: PublicConfig, toast: (text: string) => void): Wallet {
  const absent = () => Promise.reject(new Error('No wallet is connected.'))
  const { id, name, symbol, decimals } = config.networks[0]
  return {
    status: 'disconnected',
    account: undefined,
    network: { id, name, symbol, decimals },
    open: () => toast('No wallet was found in this browser.'),
    sign: absent,
    findName: absent,
    send: absent,
    receipt: absent,
  }
}
