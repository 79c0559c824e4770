import { createContext, use, useEffect, useReducer, useState } from 'react'
import type { OpenWallet } from './openWallet.ts'

export const PhoneContext = createContext<OpenWallet | undefined>(undefined)

/** Returns the wallet. The calling component re-renders after every change of the wallet. */
export function usePhone(): OpenWallet {
  const phone = use(PhoneContext)
  if (!phone) throw new Error('usePhone must be used inside a PhoneContext.')
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    rerender() // the wallet may have changed between render and effect
    return phone.watch(rerender)
  }, [phone])
  return phone
}

/**
 * Whether restoring the stored sessions has finished. Also true if it has failed; the wallet then shows
 * the error.
 */
export function useReady(): boolean {
  const phone = usePhone()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    let stopped = false
    const done = () => {
      if (!stopped) setReady(true)
    }
    phone.ready().then(done, done)
    return () => void (stopped = true)
  }, [phone])
  return ready
}

/** The selected account and chain. */
export function useCurrent() {
  const { controls } = usePhone().wallet
  const { accounts, account, chains, chainId } = controls
  const chain = chains.find(({ id }) => id === chainId)
  return {
    controls,
    address: accounts[account]!,
    account,
    chain,
    chainId,
    chainName: chain?.name ?? `Chain ${chainId}`,
    symbol: chain?.nativeCurrency?.symbol ?? 'ETH',
  }
}
