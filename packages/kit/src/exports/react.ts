export { GatefoldModal, GatefoldProvider } from '../react/GatefoldProvider.tsx'
export { useKit, useKitState } from '../react/context.ts'
export {
  useAccount,
  useAccountModal,
  useBalance,
  useConnectModal,
  useConnections,
  useDisconnect,
  useIdentity,
  useKitEvent,
  useModal,
  useNetwork,
  useNetworkModal,
  useProvider,
  useReceipt,
  useResolveName,
  useSend,
  useSignMessage,
  useSignTypedData,
  useTheme,
  useWallets,
} from '../react/hooks.ts'
export { AccountButton, ConnectButton, NetworkButton } from '../ui/buttons/ConnectButton.tsx'
export { ConnectPanel } from '../ui/buttons/ConnectPanel.tsx'
export { WalletButton } from '../ui/buttons/WalletButton.tsx'
export type { ConnectButtonProps } from '../ui/buttons/ConnectButton.tsx'
