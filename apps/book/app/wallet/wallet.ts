import { createContext, useContext } from 'react'

export type Address = `0x${string}`
export type Hex = `0x${string}`

export type Account = {
  address: Address
  /** A registered name such as `mira.eth`, once it is known. */
  name?: string | undefined
  /** Address of a picture. */
  avatar?: string | undefined
  balance: Balance
  /** The wallet's own name, for sentences. */
  wallet: string
}

/** `unavailable` where the chain did not answer, or has coins without a price. */
export type Balance =
  | { status: 'loading' | 'unavailable' }
  | { status: 'known'; atomic: bigint; decimals: number; symbol: string }

export type Receipt = { hash: Hex; block: bigint; succeeded: boolean }

/** All that the page knows of wallets. Implemented on the kit in this folder. */
export type Wallet = {
  status: 'disconnected' | 'connecting' | 'reconnecting' | 'connected'
  account: Account | undefined
  /** The network in use; without a name where the book does not run on it. */
  network: { id: number; name: string; symbol: string; decimals: number } | undefined
  open: (view?: 'Connect' | 'Account' | 'Networks') => void
  /**
   * Asks the wallet to sign a text.
   *
   * @returns The signature; `'declined'` where the visitor said no.
   */
  sign: (text: string) => Promise<Hex | 'declined'>
  /** The address that a name stands for; undefined where there is no such name. */
  findName: (name: string) => Promise<Address | undefined>
  /**
   * Asks the wallet to send coins of the network.
   *
   * @returns The transaction's hash; `'declined'` where the visitor said no.
   */
  send: (to: Address, atomic: bigint) => Promise<Hex | 'declined'>
  /** Waits until a transaction is in a block. */
  receipt: (hash: Hex) => Promise<Receipt>
}

export const WalletContext = createContext<Wallet | undefined>(undefined)

/** The wallet of this page. */
export function useWallet(): Wallet {
  const wallet = useContext(WalletContext)
  if (!wallet) throw new Error('useWallet is used outside of WalletProvider')
  return wallet
}
