import { BaseError } from '@gatefold/protocol'
import {
  smartAccountContracts,
  type PaymasterBody,
  type PaymasterFields,
  type PaymasterResponse,
} from '@gatefold/protocol/frame'
import { BaseError as ViemError, custom, hexToBigInt, type Address, type Hex } from 'viem'
import {
  createBundlerClient,
  formatUserOperationRequest,
  type UserOperation,
} from 'viem/account-abstraction'
import type { ChainConfig } from '../config.ts'
import { NodeError, type Rpc } from '../rpc/createRpc.ts'
import type { SmartAccount } from './createSmartAccount.ts'
import type { SmartCall } from './encodeCalls.ts'

/** Sends a request to the paymaster of the operator. */
export type Paymaster = (body: PaymasterBody) => Promise<PaymasterResponse>

/** An operation that is ready to be approved. */
export type PreparedOperation = {
  operation: UserOperation<'0.7'>
  /** Whether the operator pays its fee. */
  isSponsored: boolean
  /** The maximum cost, in atomic units. */
  fee: bigint
  /** Whether it also deploys the account. */
  isFirst: boolean
}

/** The receipt of an operation. @see ERC-7769 */
export type OperationReceipt = {
  success: boolean
  reason?: string
  receipt: {
    transactionHash: Hex
    blockHash: Hex
    blockNumber: Hex
    gasUsed: Hex
    status: Hex
  }
  logs: { address: Address; data: Hex; topics: Hex[] }[]
}

const receiptTimeoutMs = 60_000
const receiptPauseMs = 200

/**
 * Prepares and sends operations of smart accounts.
 *
 * @param options.bundler - sends requests to a bundler.
 * @param options.paymaster - asks the operator to pay the fee; `undefined` if
 *   the chain has no paymaster.
 */
export function createOperations(options: {
  account: SmartAccount
  owner: Address
  chain: ChainConfig
  rpc: Rpc
  bundler: Rpc
  paymaster: Paymaster | undefined
}) {
  const { account, owner, chain, rpc, bundler, paymaster } = options
  const chainId = account.client.chain!.id
  const client = createBundlerClient({
    account,
    client: account.client,
    transport: custom(
      { request: ({ method, params }) => bundler(chain.id, method as string, params) },
      { retryCount: 0 },
    ),
    userOperation: { estimateFeesPerGas: () => readFees(chain.id, rpc, bundler) },
  })

  async function sponsor(
    method: PaymasterBody['method'],
    operation: UserOperation<'0.7'>,
  ): Promise<PaymasterFields | undefined> {
    const { signature: _, ...fields } = formatUserOperationRequest(operation)
    const response = await paymaster!({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: [fields, smartAccountContracts.entryPoint, `0x${chainId.toString(16)}`, { owner }],
    })
    return 'result' in response ? response.result : undefined
  }

  async function prepare(calls: readonly SmartCall[]): Promise<PreparedOperation> {
    let isSponsored = false
    try {
      const operation = (await client.prepareUserOperation({
        calls: [...calls],
        ...(paymaster && {
          paymaster: {
            // The paymaster signs after the approval, so that rejected
            // operations do not count towards its limits.
            async getPaymasterStubData(request) {
              const { chainId: _, context: __, entryPointAddress: ___, ...given } = request
              // The account pays for an operation that the operator does not
              // sponsor.
              const stub = await sponsor('pm_getPaymasterStubData', given as never).catch(
                () => undefined,
              )
              isSponsored = stub !== undefined
              return stub ? { ...toFields(stub), isFinal: true } : ({ isFinal: true } as never)
            },
            getPaymasterData: () => Promise.reject(new OperationError('sponsor')),
          },
        }),
      })) as UserOperation<'0.7'>
      return {
        operation,
        isSponsored,
        fee: maxFee(operation),
        isFirst: operation.factory !== undefined,
      }
    } catch (error) {
      throw toOperationError(error)
    }
  }

  /** Signs and sends an approved operation. @returns its hash. */
  async function send({ operation, isSponsored }: PreparedOperation): Promise<Hex> {
    let paid = operation
    if (isSponsored) {
      const fields = await sponsor('pm_getPaymasterData', operation)
      // The visitor has not agreed to pay the fee.
      if (!fields) throw new OperationError('sponsor')
      paid = { ...operation, ...toFields(fields) }
    }
    const signature = await account.signUserOperation(paid)
    try {
      return (await bundler(chain.id, 'eth_sendUserOperation', [
        formatUserOperationRequest({ ...paid, signature }),
        smartAccountContracts.entryPoint,
      ])) as Hex
    } catch (error) {
      throw toOperationError(error)
    }
  }

  return { prepare, send }
}

/**
 * Waits until an operation is executed. @throws {OperationError} if it fails,
 * or is not executed within the time limit.
 */
export async function waitForOperation(
  bundler: Rpc,
  chainId: string,
  hash: Hex,
): Promise<OperationReceipt> {
  const end = Date.now() + receiptTimeoutMs
  while (Date.now() < end) {
    const receipt = await readReceipt(bundler, chainId, hash).catch((error: unknown) => {
      throw toOperationError(error)
    })
    if (receipt?.success === false) throw new OperationError('failed', receipt.reason)
    if (receipt) return receipt
    await new Promise((resolve) => setTimeout(resolve, receiptPauseMs))
  }
  throw new OperationError('late')
}

/** The receipt of an operation, or `null` if it has not been executed yet. */
export async function readReceipt(
  bundler: Rpc,
  chainId: string,
  hash: Hex,
): Promise<OperationReceipt | null> {
  return (await bundler(chainId, 'eth_getUserOperationReceipt', [hash])) as OperationReceipt | null
}

/**
 * The fees that the bundler requires, or else those of the network, which leave
 * room for the base fee to double.
 */
async function readFees(chainId: string, rpc: Rpc, bundler: Rpc) {
  const demanded = (await bundler(chainId, 'pimlico_getUserOperationGasPrice', []).catch(
    () => undefined,
  )) as { fast?: { maxFeePerGas: Hex; maxPriorityFeePerGas: Hex } } | undefined
  if (demanded?.fast) {
    const { maxFeePerGas, maxPriorityFeePerGas } = demanded.fast
    return {
      maxFeePerGas: hexToBigInt(maxFeePerGas),
      maxPriorityFeePerGas: hexToBigInt(maxPriorityFeePerGas),
    }
  }
  const [block, tip] = await Promise.all([
    rpc(chainId, 'eth_getBlockByNumber', ['latest', false]),
    rpc(chainId, 'eth_maxPriorityFeePerGas', []).catch(() => '0x0'),
  ])
  const { baseFeePerGas = '0x0' } = block as { baseFeePerGas?: Hex }
  const maxPriorityFeePerGas = hexToBigInt(tip as Hex)
  return {
    maxFeePerGas: hexToBigInt(baseFeePerGas) * 2n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  }
}

function toFields(fields: PaymasterFields) {
  return {
    paymaster: fields.paymaster,
    paymasterData: fields.paymasterData,
    paymasterVerificationGasLimit: BigInt(fields.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: BigInt(fields.paymasterPostOpGasLimit),
  }
}

function maxFee(operation: UserOperation<'0.7'>): bigint {
  const gas =
    operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    (operation.paymasterVerificationGasLimit ?? 0n) +
    (operation.paymasterPostOpGasLimit ?? 0n)
  return gas * operation.maxFeePerGas
}

/** The bundler's reason for a refusal, or that it did not respond. */
function toOperationError(error: unknown): unknown {
  const cause = error instanceof ViemError ? error.walk((one) => one instanceof NodeError) : error
  if (!(cause instanceof NodeError)) return error
  if (!cause.isAnswer) return new OperationError('bundler')
  // EntryPoint: the account did not pay for the operation.
  if (cause.shortMessage.includes('AA21')) return new OperationError('funds')
  return new OperationError('refused', cause.shortMessage)
}

const problems = {
  bundler:
    'The service that sends operations of smart accounts did not respond. Try again, or switch to the standard account.',
  sponsor: 'The site no longer pays for this. Try again to see what it costs.',
  funds: 'The balance of the smart account does not cover the fee. Add some first.',
  refused: 'This would fail.',
  failed: 'The operation was executed, but it failed.',
  late: 'The operation was sent, but is not executed yet. Check it in an explorer before you try again.',
} as const

/**
 * An operation cannot be sent, or failed. The code is `frame.operation_`
 * followed by the problem.
 */
export class OperationError extends BaseError {
  override name = 'OperationError'
  constructor(problem: keyof typeof problems, reason?: string) {
    const text = reason ? `${problems[problem]} ${reason.slice(0, 200)}` : problems[problem]
    super(text, { code: `frame.operation_${problem}`, docsPath: 'docs/contracts/frame.md' })
  }
}
