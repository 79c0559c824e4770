import { startUpstream } from './startUpstream.ts'
import type { testOperation } from './testOperation.ts'

/** Starts a server that answers as a bundler: its estimates and fees are those of an operation. */
export async function startTestBundler(operation: ReturnType<typeof testOperation>) {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation
  const { maxFeePerGas, maxPriorityFeePerGas } = operation
  return startUpstream({
    chainId: 31_337,
    answer: (method) =>
      method === 'eth_estimateUserOperationGas'
        ? { callGasLimit, verificationGasLimit, preVerificationGas }
        : { fast: { maxFeePerGas, maxPriorityFeePerGas } },
  })
}
