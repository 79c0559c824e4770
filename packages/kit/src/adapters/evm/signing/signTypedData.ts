import { getAction } from 'viem/utils'
import { signTypedData as viemSignTypedData } from 'viem/actions'

import type { TypedData } from '../../../core/connection/Adapter.ts'
import { SignMessageError } from '../../../core/kit/requestErrors.ts'
import type { Evm } from '../context.ts'
import { toWalletError } from '../failure.ts'
import { getWallet } from '../wallet.ts'

/**
 * Signs typed data with `eth_signTypedData_v4`.
 *
 * @throws {NotConnectedError | TransactionError} see `getWallet`
 * @throws {UserRejectedError} the visitor declined
 * @throws {UnsupportedOperationError} the wallet does not support the method
 * @throws {SignMessageError} any other failure, including data that does not match its types
 * @see EIP-712
 */
export async function signTypedData(
  evm: Evm,
  parameters: { typedData: TypedData; address?: string | undefined },
): Promise<string> {
  try {
    const { client, account } = await getWallet(evm, parameters)
    return await getAction(
      client,
      viemSignTypedData,
      'signTypedData',
    )({ account, ...parameters.typedData })
  } catch (error) {
    throw toWalletError(
      error,
      'signTypedData',
      (cause) => new SignMessageError('Signing the typed data failed', { cause }),
    )
  }
}
