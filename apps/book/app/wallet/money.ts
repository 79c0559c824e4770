import { createContext, useContext } from 'react'

/** A list that is read from the Gatefold server. `missing` if the server does not have it. */
export type Loadable<value> =
  | { status: 'loading' }
  | { status: 'missing' }
  | { status: 'failed'; retry: () => void }
  | { status: 'known'; value: value }

/** A token that the account holds. */
export type Holding = {
  id: string
  name: string
  symbol: string
  network: string
  /** In whole tokens, as a decimal number. */
  amount: string
  /** In the list's currency, as a decimal number; undefined if there is no price. */
  value: string | undefined
  /** URL of the picture. */
  image: string | undefined
}

export type Holdings = {
  /** The most valuable first, without spam. */
  holdings: readonly Holding[]
  /** The currency that the visitor chose in the modal, as an ISO 4217 code. */
  currency: string
  /** As a decimal number. */
  total: string
  /** Whether a network or its prices are missing. */
  isPartial: boolean
}

/** What a transaction did for the account, or will do if it is pending. */
export type Action =
  | 'approve'
  | 'burn'
  | 'cancel'
  | 'deploy'
  | 'deposit'
  | 'execute'
  | 'mint'
  | 'receive'
  | 'send'
  | 'trade'
  | 'withdraw'

export type Entry = {
  id: string
  action: Action
  status: 'pending' | 'confirmed' | 'failed'
  /** Unix time in ms. */
  time: number
  /** The assets that it transfers. */
  moves: readonly { direction: 'in' | 'out' | 'self'; amount: string; name: string }[]
}

/** The account's transactions on the current network. */
export type Latest = {
  /** The newest first, without spam. */
  entries: readonly Entry[]
  /** Whether the list is complete. */
  isComplete: boolean
}

/** A view of the modal, with its parameters. */
export type MoneyView =
  | { view: 'OnRampProviders' | 'Swap' | 'WalletSend' | 'WalletReceive' }
  | { view: 'ChooseAccountName' | 'Transactions' | 'Account' }
  | { view: 'Token' | 'Transaction'; id: string }

/** The interface through which the page reads the account's assets, implemented by KitMoney. */
export type Money = {
  holdings: Loadable<Holdings>
  latest: Loadable<Latest>
  /** Whether tokens can be bought on the current network; undefined while that is unknown. */
  canBuy: boolean | undefined
  /** The zone in which the account can register a name; undefined if there is none. */
  zone: string | undefined
  /** Whether the account has a name; undefined while that is unknown. */
  hasName: boolean | undefined
  open: (view: MoneyView) => void
}

export const MoneyContext = createContext<Money | undefined>(undefined)

/** The account's money. */
export function useMoney(): Money {
  const money = useContext(MoneyContext)
  if (!money) throw new Error('useMoney must be used inside KitMoney')
  return money
}
