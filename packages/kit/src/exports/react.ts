'use client'

export { useKit, useKitState } from '../react/context.ts'
export {
  useAccount,
  useAccountModal,
  useConnectModal,
  useConnections,
  useKitEvent,
  useModal,
  useNetwork,
  useNetworkModal,
  useTheme,
  useWallets,
} from '../react/hooks.ts'
export {
  useDisconnect,
  useReceipt,
  useResolveName,
  useSend,
  useSignMessage,
  useSignTypedData,
} from '../react/mutations.ts'
export { useBalance, useIdentity, useProvider } from '../react/queries.ts'
export { GatefoldProvider } from './GatefoldProvider.ts'
export { GatefoldModal } from '../ui/Provider.tsx'
export { AccountButton, ConnectButton, NetworkButton } from '../ui/buttons/ConnectButton.tsx'
export { ConnectPanel } from '../ui/buttons/ConnectPanel.tsx'
export { WalletButton } from '../ui/buttons/WalletButton.tsx'
export type { ConnectButtonProps } from '../ui/buttons/ConnectButton.tsx'
