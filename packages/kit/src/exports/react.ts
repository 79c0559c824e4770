export { GatefoldProvider } from '../react/GatefoldProvider.tsx'
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
