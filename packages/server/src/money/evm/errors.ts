import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  RpcRequestError,
} from 'viem'
import { ChainUnavailableError } from '../../rpc/createChain.ts'

/** Whether a call failed because its contract reverted or does not exist, and not because the chain was unavailable. */
export function isRevert(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof ContractFunctionRevertedError ||
        cause instanceof ContractFunctionZeroDataError,
    ) !== null
  )
}

/**
 * The selector of `OffchainLookup`, the error with which a contract refers to
 * another host. @see EIP-3668
 */
const offchainLookup = '0x556f1830'

/** Whether a call failed because its contract refers to another host for the result. */
export function isOffchainLookup(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk((it) => it instanceof ContractFunctionRevertedError)
  return (
    cause instanceof ContractFunctionRevertedError && cause.raw?.startsWith(offchainLookup) === true
  )
}

/** The reason of a reverted call, such as `Too little received`; `undefined` for other errors. */
export function revertReason(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const cause = error.walk((it) => it instanceof RpcRequestError)
  return cause instanceof RpcRequestError && /revert|fund|allowance|balance/i.test(cause.details)
    ? cause.details
    : undefined
}

/** Why a chain could not be read; `undefined` for errors that viem did not throw. */
export function readFailure(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ChainUnavailableError) return cause.shortMessage
  return error instanceof BaseError ? 'The chain could not be read.' : undefined
}

/** Whether a call ended without a result because of its contract: a revert, an invalid opcode or too little gas. */
export function isExecutionFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk((it) => it instanceof RpcRequestError)
  return (
    cause instanceof RpcRequestError && /revert|gas|opcode|EVM error|stack/i.test(cause.details)
  )
}
