import {
  defaultSmartAccountModules,
  smartAccountAbi,
  smartAccountContracts,
  type PaymasterBody,
} from '@gatefold/protocol/frame'
import {
  concat,
  encodeFunctionData,
  encodePacked,
  parseAbi,
  size,
  type Address,
  type Hex,
} from 'viem'
import { accountOf } from '../frame/sponsor/accountOf.ts'

const abi = parseAbi(smartAccountAbi)

export type TestCall = { to: Address; value?: bigint; data?: Hex; kind?: 0 | 1 }

/** The owner of the smart account in tests: account 5 of the local chains. */
export const testOwner = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'

/**
 * The call data of an operation that makes calls.
 *
 * @param batchValue - sent to the contract that runs a batch
 */
export function encodeTestCalls(calls: TestCall[], batchValue = 0n): Hex {
  const [first] = calls
  const transactions = concat(
    calls.map(({ to, value = 0n, data = '0x', kind = 0 }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [kind, to, value, BigInt(size(data)), data],
      ),
    ),
  )
  return encodeFunctionData({
    abi,
    functionName: 'executeUserOp',
    args:
      calls.length === 1
        ? [first!.to, first!.value ?? 0n, first!.data ?? '0x', first!.kind ?? 0]
        : [
            smartAccountContracts.multiSend,
            batchValue,
            encodeFunctionData({ abi, functionName: 'multiSend', args: [transactions] }),
            1,
          ],
  })
}

/**
 * An operation of a new smart account with a maximum cost of 0.001 in the
 * chain's currency.
 */
export function testOperation(
  calls: TestCall[],
  modules: { module: Address; setup: Address } = defaultSmartAccountModules,
) {
  const { address, factoryData } = accountOf(testOwner, modules)
  return {
    sender: address,
    nonce: '0x0',
    factory: smartAccountContracts.factory,
    factoryData,
    callData: encodeTestCalls(calls),
    // 940,000 together with the 60,000 of the paymaster.
    callGasLimit: '0x61a80',
    verificationGasLimit: '0x61a80',
    preVerificationGas: '0x222e0',
    maxFeePerGas: '0x3b9aca00',
    maxPriorityFeePerGas: '0x1',
  } satisfies PaymasterBody['params'][0]
}

/** A request to the paymaster. */
export function paymasterBody(
  operation: PaymasterBody['params'][0],
  change: { method?: PaymasterBody['method']; chainId?: number; owner?: Address } = {},
): PaymasterBody {
  const { method = 'pm_getPaymasterData', chainId = 31_337, owner = testOwner } = change
  return {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: [operation, smartAccountContracts.entryPoint, `0x${chainId.toString(16)}`, { owner }],
  }
}
