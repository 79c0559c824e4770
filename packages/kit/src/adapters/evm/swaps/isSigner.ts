import { recoverAddress } from '@gatefold/sign/recoverAddress'
import { hashTypedData } from 'viem'
import type { Hex } from 'viem'

import type { TypedData } from '../../../core/connection/Adapter.ts'

/**
 * Whether an account's own key has signed typed data. False for contracts and
 * for malformed signatures.
 *
 * @see EIP-712
 */
export async function isSigner(parameters: {
  account: string
  typedData: TypedData
  signature: Hex
}): Promise<boolean> {
  const { account, signature, typedData } = parameters
  // viem's function would be part of every page's first load, because it shares
  // modules with wagmi.
  return recoverAddress(hashTypedData(typedData), signature) === account.toLowerCase()
}
