import { BaseError } from '@gatefold/protocol'

import { current } from '../account/balance.ts'
import { capability } from '../connection/Adapter.ts'
import type { ParsedAddress, PreparedTransfer } from '../connection/Adapter.ts'
import type { FamilyParameters } from '../connection/account.ts'
import type { Kit, KitInstance } from '../kit/Kit.ts'
import type { Network } from '../networks/Network.ts'
import { fromUnits } from './decimal.ts'
import { followPending } from './pending/followPending.ts'
import type { PendingTransaction } from './pending/PendingTransaction.ts'
import { addRecipient } from './recipients.ts'
import type { Token } from './tokens.ts'

/** A transfer lacks its token, amount or receiver. */
export class IncompleteTransferError extends BaseError {
  override name = 'IncompleteTransferError'
  constructor(message: string) {
    super(message, { code: 'money.incomplete_transfer' })
  }
}

/** The chain family cannot send transfers. */
export class UnsupportedChainError extends BaseError {
  override name = 'UnsupportedChainError'
  constructor(namespace: string) {
    super('Unsupported chain', {
      code: 'money.unsupported_chain',
      metaMessages: [`The adapter of ${namespace} sends no transfers.`],
    })
  }
}

/**
 * Simulates a transfer from the active account, and estimates its cost.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {IncompleteTransferError} the token, the amount or the receiver is missing
 * @throws {UnsupportedChainError} the chain family cannot send transfers
 * @throws {TransactionError} the transfer would fail
 */
export async function prepareTransfer(
  kit: Kit,
  parameters: sendTransfer.Parameters,
): Promise<PreparedTransfer> {
  const { transfers, request } = await resolve(kit, parameters)
  return transfers.prepareTransfer(request)
}

/**
 * Sends the native currency or a token from the active account.
 *
 * @returns the transaction's hash; `waitForReceipt` waits for the confirmation
 * @throws {NotConnectedError} no wallet is connected
 * @throws {IncompleteTransferError} the token, the amount or the receiver is missing
 * @throws {UnsupportedChainError} the chain family cannot send transfers
 * @throws {UserRejectedError} the visitor declined
 * @throws {WrongHashError} the wallet did not return a hash; the transfer may
 *   have been sent
 * @throws {TransactionError} the wallet is on another network, or the transfer failed
 * @example
 * const { tokens } = await getTokens(kit)
 * const hash = await sendTransfer(kit, { token: tokens[0], to: '0x…', amount: 10n ** 16n })
 */
export async function sendTransfer(kit: Kit, parameters: sendTransfer.Parameters): Promise<string> {
  const { transfers, request } = await resolve(kit, parameters)
  if (request.amount === 0n) throw new IncompleteTransferError(missingText)
  return transfers.sendTransfer(request)
}

/**
 * Sends a transfer and follows its transaction; `sendTransfer` only sends it.
 *
 * @param isShown - whether a view shows the transaction, so that toasts are not needed
 * @throws what `sendTransfer` throws
 * @throws {WrongHashError} the wallet returned the hash of an earlier transaction
 */
export async function submitTransfer(
  kit: KitInstance,
  parameters: { token: Token; to: string; amount: bigint; gas: bigint | undefined },
  isShown: () => boolean,
): Promise<PendingTransaction> {
  const { token, to, amount } = parameters
  const { network, symbol, image } = token
  const account = current(kit, network.chainNamespace).account.address
  const hash = await sendTransfer(kit, { ...parameters, namespace: network.chainNamespace })
  addRecipient(kit, to)
  const moved = fromUnits(amount, token.decimals)
  return followPending(kit).add(
    {
      hash,
      type: 'send',
      network,
      account,
      to,
      transfers: [{ direction: 'out', name: symbol, amount: moved, isNft: false, image }],
    },
    isShown,
  )
}

export declare namespace sendTransfer {
  /** What to send, and to whom. */
  type Parameters = FamilyParameters & {
    /** The token, such as one of `getTokens`. */
    token:
      | {
          /** The network. */
          network: Network
          /** Address of the token's contract; undefined for the native currency. */
          address?: string | undefined
        }
      | undefined
    /** The receiving address. */
    to: string
    /** The amount in the smallest unit. */
    amount: bigint | undefined
    /** The gas limit, from `prepareTransfer`; by default estimated. */
    gas?: bigint | undefined
  }
}

/** Reads an address that the visitor has typed, in the active family's form. */
export async function parseAddress(kit: Kit, text: string): Promise<ParsedAddress> {
  const { adapter } = current(kit)
  return (await capability(adapter, 'transfers', 'parseAddress')).parseAddress(text)
}

/** @see spec §5.2 */
const missingText = 'An amount and receiver address are required'

async function resolve(kit: Kit, { namespace, token, to, amount, gas }: sendTransfer.Parameters) {
  if (!token) throw new IncompleteTransferError('A token is required')
  if (amount === undefined || !to) throw new IncompleteTransferError(missingText)
  const { account, adapter } = current(kit, namespace)
  const { transfers } = await adapter.actions()
  if (!transfers) throw new UnsupportedChainError(account.namespace)
  const { network, address } = token
  return { transfers, request: { network, token: address, to, amount, gas } }
}
