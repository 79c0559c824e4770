import type { SponsoredOperation } from '@gatefold/protocol/frame'
import {
  concat,
  encodeAbiParameters,
  keccak256,
  numberToHex,
  parseAbiParameters,
  type Address,
  type Hex,
} from 'viem'
import { signMessage } from 'viem/accounts'

/** An operation with the limits of its paymaster. */
export type PaidOperation = SponsoredOperation & {
  paymasterVerificationGasLimit: bigint
  paymasterPostOpGasLimit: bigint
}

/** The time in which an operation can be executed, Unix time in seconds. */
export type Validity = { validUntil: number; validAfter: number }

const signed = parseAbiParameters(
  'address, uint256, bytes32, bytes32, bytes32, uint256, uint256, bytes32, uint256, address, uint48, uint48',
)

/**
 * Signs an operation for a VerifyingPaymaster. The signature covers everything
 * that is executed and paid, the chain, the paymaster and the time. The hash is
 * computed here, because a node could return the hash of another operation.
 *
 * @returns the data of the paymaster in the operation.
 */
export async function signOperation(
  operation: PaidOperation,
  options: { chainId: number; paymaster: Address; privateKey: Hex } & Validity,
): Promise<Hex> {
  const { privateKey, ...rest } = options
  const raw = paymasterHash(operation, rest)
  const signature = await signMessage({ message: { raw }, privateKey })
  return toPaymasterData(rest, signature)
}

/** `getHash` of VerifyingPaymaster 0.7. */
export function paymasterHash(
  operation: PaidOperation,
  options: { chainId: number; paymaster: Address } & Validity,
): Hex {
  const { factory, factoryData = '0x' } = operation
  const { chainId, paymaster, validUntil, validAfter } = options
  const limits = pack(operation.paymasterVerificationGasLimit, operation.paymasterPostOpGasLimit)
  return keccak256(
    encodeAbiParameters(signed, [
      operation.sender,
      operation.nonce,
      keccak256(factory ? concat([factory, factoryData]) : '0x'),
      keccak256(operation.callData),
      pack(operation.verificationGasLimit, operation.callGasLimit),
      BigInt(limits),
      operation.preVerificationGas,
      pack(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
      BigInt(chainId),
      paymaster,
      validUntil,
      validAfter,
    ]),
  )
}

/** A signature that recovers to an address whose key nobody has, for estimates. */
export const stubSignature: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`

/**
 * Data of the same length as {@link signOperation}'s that pays for no
 * operation.
 */
export function stubPaymasterData(): Hex {
  return toPaymasterData({ validUntil: 0, validAfter: 0 }, stubSignature)
}

function toPaymasterData({ validUntil, validAfter }: Validity, signature: Hex): Hex {
  const times = encodeAbiParameters(parseAbiParameters('uint48, uint48'), [validUntil, validAfter])
  return concat([times, signature])
}

/** Two numbers of 128 bits. */
function pack(first: bigint, second: bigint): Hex {
  return concat([numberToHex(first, { size: 16 }), numberToHex(second, { size: 16 })])
}
