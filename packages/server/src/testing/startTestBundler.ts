import { startUpstream } from './startUpstream.ts'
import type { testOperation } from './testOperation.ts'

/** Starts a server that acts as a bundler. It returns the gas and the fees of the given operation. */
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
