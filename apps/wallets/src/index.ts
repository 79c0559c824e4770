export { announce, type WalletInfo } from './announce.ts'
export {
  type Controls,
  createDemoWallet,
  type DemoProvider,
  type DemoWallet,
  type LoggedRequest,
} from './createDemoWallet.ts'
export { demoAccounts } from './demoAccounts.ts'
export { halyardIcon, nacreIcon } from './icons.ts'
export { installDemoWallet } from './installDemoWallet.ts'
export { installDemoWallets, type ReadyWallet, readyWallets } from './installDemoWallets.ts'
export type { Approval, PendingRequest } from './provider/createApprovals.ts'
export type { WalletChain } from './provider/createSession.ts'
export { type Faults, noFaults, type Trigger } from './provider/Faults.ts'
export { errorCodes, ProviderRpcError } from './provider/ProviderRpcError.ts'
