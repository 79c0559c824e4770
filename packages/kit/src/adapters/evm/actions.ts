import type { Actions } from '../../core/connection/Adapter.ts'
import { lazy } from '../../core/kit/lazy.ts'
import type { Evm } from './context.ts'

/** The actions of EVM accounts. Each imported module is a lazy chunk. */
export function createActions(evm: Evm): Actions {
  const signing = lazy(() => import('./signing/sign.ts'))
  const typedData = lazy(() => import('./signing/signTypedData.ts'))
  const transactions = lazy(() => import('./transactions.ts'))
  const reads = lazy(() => import('./reads.ts'))
  const identities = lazy(() => import('./identity.ts'))
  const names = lazy(() => import('./names.ts'))
  const pending = lazy(() => import('./pending.ts'))
  const calls = lazy(() => import('./calls.ts'))
  const batches = lazy(() => import('./readCalls.ts'))
  const transfers = lazy(() => import('./transfers.ts'))
  const swaps = lazy(() => import('./swaps/swapCalls.ts'))
  const permits = lazy(() => import('./swaps/permit.ts'))
  const signers = lazy(() => import('./swaps/isSigner.ts'))
  return {
    getBalance: (parameters) => reads((module) => module.getBalance(evm, parameters)),
    signMessage: (parameters) => signing((module) => module.signMessage(evm, parameters)),
    sendTransaction: (request) => transactions((module) => module.sendTransaction(evm, request)),
    identity: {
      getIdentity: (parameters) => identities((module) => module.getIdentity(evm, parameters)),
      resolveName: (parameters) => names((module) => module.resolveName(evm, parameters)),
    },
    typedData: {
      signTypedData: (parameters) => typedData((module) => module.signTypedData(evm, parameters)),
    },
    contracts: {
      estimateGas: (request) => transactions((module) => module.estimateGas(evm, request)),
      writeContract: (request) => transactions((module) => module.writeContract(evm, request)),
    },
    transfers: {
      parseAddress: (text) => transfers(async (module) => module.parseAddress(text)),
      prepareTransfer: (request) => transfers((module) => module.prepareTransfer(evm, request)),
      sendTransfer: (request) => transfers((module) => module.sendTransfer(evm, request)),
    },
    swaps: {
      readApproval: (call) => swaps((module) => module.readApproval(evm, call)),
      readSwap: (call) => swaps((module) => module.readSwap(evm, call)),
      readPermit: (parameters) => permits((module) => module.readPermit(evm, parameters)),
      isSigner: (parameters) => signers((module) => module.isSigner(parameters)),
    },
    receipts: {
      waitForReceipt: (parameters) =>
        transactions((module) => module.waitForReceipt(evm, parameters)),
    },
    pending: {
      readTransaction: (parameters) => pending((module) => module.readTransaction(evm, parameters)),
      replaceTransaction: (parameters) =>
        pending((module) => module.replaceTransaction(evm, parameters)),
    },
    batch: {
      getCapabilities: (parameters) => calls((module) => module.getCapabilities(evm, parameters)),
      sendCalls: (parameters) => calls((module) => module.sendCalls(evm, parameters)),
      getCallsStatus: (parameters) => calls((module) => module.getCallsStatus(evm, parameters)),
      readCalls: (parameters) => batches((module) => module.readCalls(evm, parameters)),
      readFee: (parameters) => batches((module) => module.readCallsFee(evm, parameters)),
    },
    permissions: {
      grantPermissions: (parameters) => calls((module) => module.grantPermissions(evm, parameters)),
      revokePermissions: (parameters) =>
        calls((module) => module.revokePermissions(evm, parameters)),
      getWalletAssets: (parameters) => calls((module) => module.getWalletAssets(evm, parameters)),
    },
  }
}
