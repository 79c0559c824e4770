import { getAction } from 'viem/utils'
import { signMessage as viemSignMessage } from 'viem/actions'

import { SignMessageError } from '../../../core/kit/requestErrors.ts'
import type { Evm } from '../context.ts'
import { toWalletError } from '../failure.ts'
import { getWallet } from '../wallet.ts'

/**
 * Signs a message with `personal_sign`.
 *
 * @throws {NotConnectedError | TransactionError} see `getWallet`
 * @throws {UserRejectedError} the visitor declined
 * @throws {UnsupportedOperationError} the wallet does not support the method
 * @throws {SignMessageError} any other failure
 * @see EIP-191; spec §7.13.1, §8.11.1
 */
export async function signMessage(
  evm: Evm,
  parameters: { message: string; address?: string | undefined },
): Promise<string> {
  try {
    const { client, account } = await getWallet(evm, parameters)
    const { message } = parameters
    return await getAction(client, viemSignMessage, 'signMessage')({ account, message })
  } catch (error) {
    throw toWalletError(
      error,
      'signMessage',
      (cause) => new SignMessageError('WagmiAdapter:signMessage - Sign message failed', { cause }),
    )
  }
}
