import type { ChainNamespace } from '@gatefold/protocol'

import type { Network } from '../networks/Network.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/**
 * The views of the modal with their data. Names are AppKit's.
 */
export type ViewData = {
  /** The settings of an embedded wallet: email address, network, wallets. */
  AccountSettings: undefined
  /** The active account, its balance, and the actions on it. */
  Account: undefined
  /** The currencies of values and prices. */
  Currency: undefined
  /** All wallets of the directory, with search. */
  AllWallets: undefined
  /** A request that the visitor answers in the secure frame, which is shown over the view. */
  ApproveTransaction: undefined
  /** Explains the use of a name; opens RegisterAccountName. */
  ChooseAccountName: undefined
  /** The connect methods. */
  Connect: undefined
  /** All social logins. */
  ConnectSocials: undefined
  /** Only the wallet list. */
  ConnectWallets: undefined
  /** An order at an on-ramp provider: what to do, its progress, and its outcome. */
  BuyInProgress: {
    /** The gateway's id of the order. */
    orderId: string
    /** What to buy, to start again. */
    purchase?: BuyArguments | undefined
  }
  /** A login with Farcaster: a QR code or, on phones, a link. */
  ConnectingFarcaster: undefined
  /** A login with only a passkey, in the secure frame. */
  ConnectingPasskey: undefined
  /** A login at a social provider, in a window or, where none opens, in this tab. */
  ConnectingSocial: {
    /** The provider, such as `google`. */
    provider: string
    /** The result with which the provider redirected back to this page. */
    resultUri?: string | undefined
  }
  /** A request to connect in an installed wallet. */
  ConnectingExternal: {
    /** Id of the connector. */
    connectorId: string
    /** The chain family to connect. */
    namespace: ChainNamespace.ChainNamespace
    /** The wallet's entry in the directory. */
    wallet?: WalletListing | undefined
  }
  /** A QR code, or links to a wallet's app; for one wallet, or for any. */
  ConnectingWalletConnect:
    | {
        /** The wallet; without it, any wallet can scan the code. */
        wallet?: WalletListing | undefined
      }
    | undefined
  /** A QR code and the wallets that can scan it. */
  ConnectingWalletConnectBasic: undefined
  /** Where to download a wallet. */
  Downloads: {
    /** The wallet. */
    wallet: WalletListing
  }
  /** Only the field for an email address. */
  EmailLogin: undefined
  /** Waits until the visitor opens the link that was mailed to confirm this device. */
  EmailVerifyDevice: {
    /** The address. */
    email: string
  }
  /** The code that was mailed to log in. */
  EmailVerifyOtp: {
    /** The address. */
    email: string
  }
  /** Wallets for visitors who have none. */
  GetWallet: undefined
  /** The configured networks. */
  Networks: undefined
  /** An NFT that the account owns. */
  Nft: {
    /** The NFT's `id`: its CAIP-19 id. */
    id: string
  }
  /** The currencies to pay with. */
  OnRampFiatSelect:
    | {
        /** The purchase to return to. */
        purchase?: BuyArguments | undefined
      }
    | undefined
  /** Buys tokens with money: the amount, and the providers with their prices. The data preselects them. */
  OnRampProviders: BuyArguments | undefined
  /** The tokens that can be bought. */
  OnRampTokenSelect:
    | {
        /** The purchase to return to. */
        purchase?: BuyArguments | undefined
      }
    | undefined
  /** The connected wallets. */
  ProfileWallets: undefined
  /** Registers a name for the active account. */
  RegisterAccountName: undefined
  /** The name that was registered. */
  RegisterAccountNameSuccess: {
    /** The name with its zone. */
    name: string
  }
  /** Asks whether to switch to another chain family. */
  SwitchActiveChain: {
    /** The network to switch to. */
    network: Network
    /** The view to show afterwards. */
    redirectTo?: ViewName | undefined
  }
  /** A request to switch the network in the wallet. */
  SwitchNetwork: {
    /** The network to switch to. */
    network: Network
  }
  /** Swaps tokens on the active network. The data preselects tokens and amount. */
  Swap: SwapArguments | undefined
  /** The swap with its costs, before it is signed, and its progress. */
  SwapPreview: {
    /** What to swap. */
    swap: Required<SwapArguments>
  }
  /** The tokens to pay with, or to get. */
  SwapSelectToken: {
    /** Which of the two to select. */
    side: 'fromToken' | 'toToken'
    /** The swap so far. */
    swap: SwapArguments
  }
  /** A token that the account holds. */
  Token: {
    /** The token's `id`: its CAIP-10 address or, for the native currency, the network's CAIP-2 id. */
    id: string
  }
  /** A transaction of the account. */
  Transaction: {
    /** Its `id`, of `useKitActivity` or `useKitPendingTransactions`. */
    id: string
  }
  /** The account's transactions. */
  Transactions: undefined
  /** The wallet is on a network that the site has not configured. */
  UnsupportedChain:
    | {
        /** The feature that needs another network. */
        context?: 'app' | 'swap' | undefined
      }
    | undefined
  /** The networks on which the active wallet receives at the same address, and its other addresses. */
  WalletCompatibleNetworks:
    | {
        /** The network whose address is shown in WalletReceive; by default, the active one. */
        network?: Network | undefined
      }
    | undefined
  /** The address of the active account, as text and as a QR code. */
  WalletReceive:
    | {
        /** The network to receive on; by default, the active one. */
        network?: Network | undefined
      }
    | undefined
  /** A transfer to fill in. */
  WalletSend: SendDraft | undefined
  /** A transfer to confirm. */
  WalletSendPreview: {
    /** The token's `id`. */
    token: string
    /** The amount in whole tokens, as a decimal number. */
    amount: string
    /** The receiving address. */
    to: string
    /** The name that resolved to the address. */
    name?: string | undefined
  }
  /** The tokens that can be sent. */
  WalletSendSelectToken:
    | {
        /** The transfer to return to. */
        draft?: SendDraft | undefined
      }
    | undefined
  /** The code that was mailed to the current address, to change it. */
  UpdateEmailPrimaryOtp: {
    /** The new address. */
    email: string
  }
  /** The code that was mailed to the new address. */
  UpdateEmailSecondaryOtp: {
    /** The new address. */
    email: string
  }
  /** The email address of an embedded wallet, to change it. */
  UpdateEmailWallet: undefined
  /** Explains on-ramps. */
  WhatIsABuy: undefined
  /** Explains networks. */
  WhatIsANetwork: undefined
  /** Explains wallets. */
  WhatIsAWallet: undefined
}

/** A transfer that is not complete. */
export type SendDraft = {
  /** The token's `id`: its CAIP-10 address or, for the native currency, the network's CAIP-2 id. */
  token?: string | undefined
  /** The amount in whole tokens, as a decimal number. */
  amount?: string | undefined
  /** The receiver: an address or a name. */
  to?: string | undefined
}

/** What to buy. */
export type BuyArguments = {
  /** The token, by symbol or id (see `Token`); by default the native currency of the active network. */
  token?: string | undefined
  /** The currency to pay with, as an ISO 4217 code; by default the visitor's, or the first one of the gateway. */
  currency?: string | undefined
  /**
   * The payment, as a decimal number.
   *
   * @default '100'
   */
  amount?: string | undefined
  /**
   * How to pay: `card`, or `ach_bank_account` for a bank transfer.
   *
   * @default 'card'
   */
  method?: 'card' | 'ach_bank_account' | undefined
  /** The provider's id; by default the one with the best price. */
  provider?: string | undefined
}

/** What to swap; tokens by symbol or id (see `Token`). */
export type SwapArguments = {
  /** The token to pay with; by default the native currency. */
  fromToken?: string | undefined
  /** The token to get. */
  toToken?: string | undefined
  /** The amount to pay in whole tokens, as a decimal number. */
  amount?: string | undefined
  /**
   * By how much the price may move against the visitor, in basis points.
   *
   * @default 100
   */
  slippage?: number | undefined
  /**
   * How many minutes after it was built the swap can be included in a block, at
   * most 180.
   *
   * @default 20
   */
  deadline?: number | undefined
}

/** The name of a view. */
export type ViewName = keyof ViewData

/** A view and its data. */
export type ViewEntry = {
  [name in ViewName]: undefined extends ViewData[name]
    ? {
        /** The view. */
        name: name
        /** Its data. */
        data?: ViewData[name]
      }
    : {
        /** The view. */
        name: name
        /** Its data. */
        data: ViewData[name]
      }
}[ViewName]
