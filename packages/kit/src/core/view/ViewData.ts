import type { ChainNamespace } from '@gatefold/protocol'

import type { Network } from '../networks/Network.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/**
 * The views of the modal with their data. Named as in AppKit's router, so that a site can migrate.
 * @see spec §2.4
 */
export type ViewData = {
  Account: undefined
  AccountSettings: undefined
  AllWallets: undefined
  ApproveTransaction: undefined
  BuyInProgress: undefined
  Connect: undefined
  ConnectWallets: undefined
  ConnectSocials: undefined
  ConnectingExternal: {
    connectorId: string
    namespace: ChainNamespace.ChainNamespace
    wallet?: WalletListing | undefined
  }
  ConnectingFarcaster: undefined
  ConnectingMultiChain: { connectorId: string }
  ConnectingSocial: { provider: string }
  ConnectingWalletConnect: { wallet?: WalletListing | undefined } | undefined
  ConnectingWalletConnectBasic: undefined
  Create: undefined
  Downloads: { wallet: WalletListing }
  EmailLogin: undefined
  EmailVerifyDevice: undefined
  EmailVerifyOtp: undefined
  GetWallet: undefined
  Networks: undefined
  OnRampProviders: undefined
  ProfileWallets: undefined
  RegisterAccountName: undefined
  RegisterAccountNameSuccess: undefined
  SIWXSignMessage: undefined
  Swap:
    | { fromToken?: string | undefined; toToken?: string | undefined; amount?: string | undefined }
    | undefined
  SwitchActiveChain: { network: Network; redirectTo?: ViewName | undefined }
  SwitchNetwork: { network: Network }
  Transactions: undefined
  UnsupportedChain: { context?: 'app' | 'swap' | undefined } | undefined
  UpdateEmailWallet: undefined
  WalletReceive: undefined
  WalletSend: undefined
  WhatIsABuy: undefined
  WhatIsANetwork: undefined
  WhatIsAWallet: undefined
}

export type ViewName = keyof ViewData

/** A history entry: a view and its data. */
export type ViewEntry = {
  [name in ViewName]: undefined extends ViewData[name]
    ? { name: name; data?: ViewData[name] }
    : { name: name; data: ViewData[name] }
}[ViewName]
