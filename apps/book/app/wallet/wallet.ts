import { createContext, useContext } from 'react'

export type Address = `0x${string}`
export type Hex = `0x${string}`

export type Account = {
  address: Address
  /** ENS name, once resolved. */
  name?: string | undefined
  /** URL of the avatar. */
  avatar?: string | undefined
  balance: Balance
  /** Name of the wallet. */
  wallet: string
}

/** `unavailable` on test networks, and if the balance could not be read. */
export type Balance =
  | { status: 'loading' | 'unavailable' }
  | { status: 'known'; atomic: bigint; decimals: number; symbol: string }

export type Receipt = { hash: Hex; block: bigint; succeeded: boolean }

/** The interface through which the page uses the wallet, implemented by KitWallet. */
export type Wallet = {
  status: 'disconnected' | 'connecting' | 'reconnecting' | 'connected'
  account: Account | undefined
  /** The current network; undefined if the Book does not support it. */
  network: { id: number; name: string; symbol: string; decimals: number } | undefined
  open: (view?: 'Connect' | 'Account' | 'Networks') => void
  /**
   * Requests a signature.
   *
   * @returns The signature, or `'declined'` if the visitor rejected the request.
   */
  sign: (text: string) => Promise<Hex | 'declined'>
  /** Resolves a name; undefined if it has no address. */
  findName: (name: string) => Promise<Address | undefined>
  /**
   * Requests a transfer of the network's native currency.
   *
   * @returns The transaction hash, or `'declined'` if the visitor rejected the request.
   */
  send: (to: Address, atomic: bigint) => Promise<Hex | 'declined'>
  /** Waits for a transaction's receipt. */
  receipt: (hash: Hex) => Promise<Receipt>
}

export const WalletContext = createContext<Wallet | undefined>(undefined)

/** The page's wallet. */
export function useWallet(): Wallet {
  const wallet = useContext(WalletContext)
  if (!wallet) throw new Error('useWallet must be used inside WalletProvider')
  return wallet
}
