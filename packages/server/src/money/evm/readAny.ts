import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  ReadContractParameters,
} from 'viem'
import { readContract } from 'viem/actions'
import { createSlots } from '../../http/createSlots.ts'
import type { EvmChain } from './createEvmChain.ts'
import { isRevert } from './errors.ts'

/**
 * Gas of a separate read. Also limits its result to about 4 MB, because memory
 * costs gas.
 */
const aloneGas = 30_000_000n
/** Maximum number of concurrent separate reads, per chain. */
const aloneAtOnce = 4
/** Maximum number of separate reads that wait, per chain. */
const waitingAlone = 200
/** Timeout of a separate read, including its wait. */
const aloneTimeoutMs = 8_000

const slots = createSlots({
  all: 4 * aloneAtOnce,
  perKey: aloneAtOnce,
  waiting: 4 * waitingAlone,
  waitingPerKey: waitingAlone,
})

/**
 * Reads a contract that anyone may have deployed. First reads it in one call
 * together with other contracts requested in the same turn of the event loop;
 * if that fails, reads it separately, because a hostile contract can use up the
 * gas of the combined call or return more than an upstream may send.
 *
 * @returns `undefined` if the contract reverts or does not exist.
 * @throws if the chain cannot be read; also if the contract returns too much.
 */
export async function readAny<
  const abi extends Abi,
  name extends ContractFunctionName<abi, 'view' | 'pure'>,
  const args extends ContractFunctionArgs<abi, 'view' | 'pure', name>,
>(
  { id, client }: EvmChain,
  parameters: ReadContractParameters<abi, name, args>,
): Promise<ContractFunctionReturnType<abi, 'view' | 'pure', name, args> | undefined> {
  // `readContract` passes these on to `call`, although its type does not have them.
  const alone = { ...parameters, batch: false, gas: aloneGas } as unknown as typeof parameters
  try {
    return await readContract(client, parameters)
  } catch {
    const signal = AbortSignal.timeout(aloneTimeoutMs)
    return slots.run(id, signal, async () => readContract(client, alone).catch(undefinedIfReverted))
  }
}

function undefinedIfReverted(error: unknown): undefined {
  if (!isRevert(error)) throw error
}
