import { CaipNetworkId } from '@gatefold/protocol'
import {
  getAddress,
  isAddress,
  isHex,
  type Address,
  type Hex,
  type TransactionSerializable,
} from 'viem'
import * as v from 'valibot'
import type { Call } from '../approval/describeTransaction.ts'
import { NodeError, type Rpc } from './createRpc.ts'
import { RequestError } from './RequestError.ts'

export const Quantity = v.pipe(
  v.union([v.string(), v.number()]),
  v.check(
    (value) => /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(String(value)),
    'must be a whole number that is not negative',
  ),
  v.transform((value) => BigInt(value)),
)

export const Data = v.pipe(
  v.string(),
  v.check((text) => isHex(text) && text.length % 2 === 0, 'must be bytes in hexadecimal'),
  v.transform((text) => text as Hex),
)

export const AddressText = v.pipe(
  v.string(),
  v.check((text) => isAddress(text, { strict: false }), 'must be an address'),
  v.transform((text) => getAddress(text)),
)

/** The parameters of `eth_sendTransaction`. The frame sets gas, fees and nonce itself. */
const Request = v.object({
  from: v.optional(AddressText),
  to: v.nullish(AddressText),
  value: v.optional(Quantity, '0x0'),
  data: v.optional(Data),
  input: v.optional(Data),
  chainId: v.optional(Quantity),
  type: v.optional(v.union([v.string(), v.number()])),
  authorizationList: v.optional(v.unknown()),
})

/**
 * Parses the call of `eth_sendTransaction`.
 *
 * @param options.chainId - CAIP-2, of an EVM chain.
 * @throws {RequestError} for a request that is invalid, or that would hand over the account (EIP-7702).
 */
export function readTransaction(options: {
  chainId: string
  from: Address
  params: unknown
}): Call {
  const { chainId, from } = options
  const parsed = v.safeParse(Request, Array.isArray(options.params) ? options.params[0] : undefined)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new RequestError(
      `Invalid transaction: ${v.getDotPath(issue) ?? 'params'} ${issue.message}`,
    )
  }
  const request = parsed.output
  const id = Number(CaipNetworkId.parse(chainId).reference)
  if (request.authorizationList !== undefined || Number(request.type ?? 0) === 4)
    throw new RequestError('The request would hand over the account. No site may ask for that.')
  if (request.from !== undefined && request.from !== from)
    throw new RequestError('The transaction is from another account.')
  if (request.chainId !== undefined && Number(request.chainId) !== id)
    throw new RequestError('The transaction is for another network. Switch the network first.')
  return {
    to: request.to ?? null,
    value: request.value,
    data: request.data ?? request.input ?? '0x',
  }
}

/** A transaction that is ready to be signed except for its nonce, with what the approval shows about it. */
export type Prepared = {
  transaction: TransactionSerializable & { chainId: number }
  /** The maximum cost, in atomic units. */
  fee: bigint
  /** What the account lacks for the value and the fee, in atomic units; 0 if it has enough. */
  missing: bigint
  /** Why the node expects it to fail. */
  failure: string | undefined
  /** Whether a node could simulate it. */
  wasTried: boolean
}

/**
 * Completes a transaction with the gas and the fees of the network.
 *
 * @param options.chainId - CAIP-2, of an EVM chain.
 */
export async function prepareTransaction(options: {
  rpc: Rpc
  chainId: string
  from: Address
  call: Call
}): Promise<Prepared> {
  const { rpc, chainId, from, call } = options
  const id = Number(CaipNetworkId.parse(chainId).reference)
  const sent = {
    from,
    value: toQuantity(call.value),
    data: call.data,
    ...(call.to && { to: call.to }),
  }
  const [balance, block, tip, gas] = await Promise.all([
    rpc(chainId, 'eth_getBalance', [from, 'latest']),
    rpc(chainId, 'eth_getBlockByNumber', ['latest', false]),
    rpc(chainId, 'eth_maxPriorityFeePerGas', []).catch(() => undefined),
    rpc(chainId, 'eth_estimateGas', [sent]).then(
      (value) => ({ value: BigInt(value as Hex), failure: undefined, wasTried: true }),
      (error: unknown) => toFailure(error),
    ),
  ])
  const { baseFeePerGas, gasLimit } = block as { baseFeePerGas?: Hex; gasLimit: Hex }
  // A tenth more, because the state can change before the transaction is
  // executed.
  const limit =
    gas.value === undefined ? min(BigInt(gasLimit) / 4n, 1_000_000n) : (gas.value * 11n) / 10n
  const common = {
    chainId: id,
    gas: limit,
    ...(call.to && { to: call.to }),
    value: call.value,
    data: call.data,
  }
  const lacking = (fee: bigint) => {
    const missing = call.value + fee - BigInt(balance as Hex)
    return missing > 0n ? missing : 0n
  }
  if (baseFeePerGas === undefined) {
    const gasPrice = BigInt((await rpc(chainId, 'eth_gasPrice', [])) as Hex)
    return {
      transaction: { ...common, type: 'legacy', gasPrice },
      fee: limit * gasPrice,
      missing: lacking(limit * gasPrice),
      failure: gas.failure,
      wasTried: gas.wasTried,
    }
  }
  const maxPriorityFeePerGas = BigInt((tip as Hex | undefined) ?? '0x0')
  // Doubles the base fee, which rises by at most an eighth per block.
  const maxFeePerGas = BigInt(baseFeePerGas) * 2n + maxPriorityFeePerGas
  return {
    transaction: { ...common, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas },
    fee: limit * maxFeePerGas,
    missing: lacking(limit * maxFeePerGas),
    failure: gas.failure,
    wasTried: gas.wasTried,
  }
}

/**
 * The nonce of the account's next transaction. To be read after the approval: while a request is shown, another tab can
 * send a transaction, which one with the same nonce would replace.
 */
export async function readNonce(rpc: Rpc, chainId: string, from: Address): Promise<number> {
  return Number(await rpc(chainId, 'eth_getTransactionCount', [from, 'pending']))
}

function toFailure(error: unknown) {
  const isAnswer = error instanceof NodeError && error.isAnswer
  return {
    value: undefined,
    failure: isAnswer ? error.shortMessage.slice(0, 200) : undefined,
    wasTried: isAnswer,
  }
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
