import { createContext, use, useEffect, useReducer, useState } from 'react'
import type { OpenWallet } from './openWallet.ts'

export const PhoneContext = createContext<OpenWallet | undefined>(undefined)

/** The wallet, drawn anew after each of its changes. */
export function usePhone(): OpenWallet {
  const phone = use(PhoneContext)
  if (!phone) throw new Error('usePhone needs a PhoneContext around it.')
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    redraw() // what changed between drawing and here
    return phone.watch(redraw)
  }, [phone])
  return phone
}

/** Whether earlier sessions were read. True also where they cannot be: the wallet then says why. */
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

/** The account and the chain in use. */
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
