import { recoverTypedDataAddress } from 'viem'
import type { Hex } from 'viem'

import type { TypedData } from '../../../core/connection/Adapter.ts'

/**
 * Whether an account's own key has signed typed data. False for contracts, and for a signature that is not one.
 *
 * @see EIP-712
 */
export async function isSigner(parameters: {
  account: string
  typedData: TypedData
  signature: Hex
}): Promise<boolean> {
  const { account, signature, typedData } = parameters
  try {
    const signer = await recoverTypedDataAddress({ ...typedData, signature })
    return signer.toLowerCase() === account.toLowerCase()
  } catch {
    // No key has this signature.
    return false
  }
}
