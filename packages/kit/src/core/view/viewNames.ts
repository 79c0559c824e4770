import type { ViewName } from './ViewData.ts'

/** The names of all views. */
export const viewNames = Object.keys({
  Account: true,
  AllWallets: true,
  Connect: true,
  ConnectWallets: true,
  ConnectingExternal: true,
  ConnectingWalletConnect: true,
  ConnectingWalletConnectBasic: true,
  Downloads: true,
  GetWallet: true,
  Networks: true,
  ProfileWallets: true,
  SwitchActiveChain: true,
  SwitchNetwork: true,
  Token: true,
  UnsupportedChain: true,
  WalletCompatibleNetworks: true,
  WalletReceive: true,
  WalletSend: true,
  WalletSendPreview: true,
  WalletSendSelectToken: true,
  WhatIsANetwork: true,
  WhatIsAWallet: true,
} satisfies Record<ViewName, true>) as readonly ViewName[]
