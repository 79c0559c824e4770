import {
  decodeFunctionResult,
  encodeFunctionData,
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type DecodeFunctionResultParameters,
  type EncodeFunctionDataParameters,
  type ReadContractParameters,
} from 'viem'
import { readContract } from 'viem/actions'
import { currentClient } from '../../http/currentClient.ts'
import type { Read, ReadResult } from './combineReads.ts'
import { separateGas, type EvmChain } from './createEvmChain.ts'
import { isRevert } from './errors.ts'

/** Maximum wait of a separate read for a slot. */
const separateWaitMs = 8_000

/**
 * Reads a contract that anyone may have deployed. First reads it in one call
 * together with other contracts requested in the same turn of the event loop;
 * reads that fail are repeated together. A read that these calls do not answer
 * is sent separately, because a hostile contract can use up their gas or return
 * more than an upstream may send.
 *
 * @returns `undefined` if the contract reverts, does not exist, or returns a value of another type.
 * @throws if the chain cannot be read; also if the contract returns too much.
 *   {@link NoSlotError} if too many separate reads wait.
 */
export async function readAny<
  const abi extends Abi,
  name extends ContractFunctionName<abi, 'view' | 'pure'>,
  const args extends ContractFunctionArgs<abi, 'view' | 'pure', name>,
>(
  chain: EvmChain,
  parameters: ReadContractParameters<abi, name, args>,
): Promise<ContractFunctionReturnType<abi, 'view' | 'pure', name, args> | undefined> {
  const data = encodeFunctionData(parameters as EncodeFunctionDataParameters)
  const answer = await readTogether(chain, { to: parameters.address!, data })
  if (answer) return decode(parameters, answer)
  const signal = AbortSignal.timeout(separateWaitMs)
  // `readContract` passes the gas on to `call`, although its type does not have it.
  const separate = { ...parameters, gas: separateGas } as unknown as typeof parameters
  return chain.reads.slots.run(currentClient(), signal, async () =>
    readContract(chain.client, separate).catch(undefinedIfReverted),
  )
}

/** @returns `undefined` if the calls with several reads do not answer this one. */
async function readTogether({ reads }: EvmChain, read: Read): Promise<ReadResult | undefined> {
  try {
    const result = await reads.first(read)
    return result.success ? result : await reads.again(read)
  } catch {
    return undefined
  }
}

function decode<
  const abi extends Abi,
  name extends ContractFunctionName<abi, 'view' | 'pure'>,
  const args extends ContractFunctionArgs<abi, 'view' | 'pure', name>,
>(
  parameters: ReadContractParameters<abi, name, args>,
  { success, returnData }: ReadResult,
): ContractFunctionReturnType<abi, 'view' | 'pure', name, args> | undefined {
  if (!success) return undefined
  try {
    const { abi, functionName, args } = parameters
    return decodeFunctionResult({
      abi,
      functionName,
      args,
      data: returnData,
    } as DecodeFunctionResultParameters) as never
  } catch {
    // Empty if there is no contract.
    return undefined
  }
}

function undefinedIfReverted(error: unknown): undefined {
  if (!isRevert(error)) throw error
}
