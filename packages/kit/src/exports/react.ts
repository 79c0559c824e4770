'use client'

export { useKit, useKitState } from '../react/context.ts'
export {
  useKitAccount,
  useAccountModal,
  useConnectModal,
  useKitEvent,
  useModal,
  useKitNetwork,
  useNetworkModal,
  useKitTheme,
  useKitWallets,
} from '../react/hooks.ts'
export { useKitConnections } from '../react/useKitConnections.ts'
export {
  useKitDisconnect,
  useKitReceipt,
  useKitRegisterName,
  useKitResolveName,
  useKitSend,
  useKitSignMessage,
  useKitSignTypedData,
} from '../react/mutations.ts'
export { useKitCreateOnrampOrder, useKitOnrampOrder, useKitOnrampQuotes } from '../react/onramp.ts'
export { useKitOnramp } from '../react/onrampOptions.ts'
export { useKitActivity } from '../react/activity.ts'
export { useKitNfts } from '../react/nfts.ts'
export { useKitPendingTransactions } from '../react/pending.ts'
export { useKitPriceHistory } from '../react/prices.ts'
export { useKitNameCheck } from '../react/nameCheck.ts'
export { useKitNames } from '../react/names.ts'
export { useKitBalance, useKitIdentity, useKitProvider, useKitTokens } from '../react/queries.ts'
export { GatefoldProvider } from './GatefoldProvider.ts'
export { GatefoldModal } from '../ui/Provider.tsx'
export { AddressAvatar } from '../ui/parts/AddressAvatar.tsx'
export { AccountButton, ConnectButton, NetworkButton } from '../ui/buttons/ConnectButton.tsx'
export { ConnectPanel } from '../ui/buttons/ConnectPanel.tsx'
export { WalletButton } from '../ui/buttons/WalletButton.tsx'
export type { AvatarComponent } from '../react/context.ts'
export type { GatefoldProviderProps } from '../ui/Provider.tsx'
export type { Responsive } from '../ui/buttons/Buttons.tsx'
export type {
  AccountStatus,
  ChainStatus,
  ConnectButtonProps,
} from '../ui/buttons/ConnectButton.tsx'
export type { ConnectButtonState } from '../ui/buttons/usePageState.ts'
