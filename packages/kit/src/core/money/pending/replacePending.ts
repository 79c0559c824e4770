import { capability } from '../../connection/Adapter.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import { NetworkNotFoundError, TransactionError } from '../../kit/requestErrors.ts'
import { followPending } from './followPending.ts'
import { NotReplacedError } from './NotReplacedError.ts'

/**
 * Sends a pending transaction again with higher fees and the same nonce, so
 * that it is included sooner. Needs a wallet that uses the requested nonce, as
 * browser wallets do.
 *
 * @throws {NotReplacedError} the wallet used another nonce, so that both transactions may be included
 * @throws {TransactionError} it has ended, the wallet is on another network, or any other failure
 * @throws {WrongHashError} the wallet returned no hash, or that of the pending transaction
 * @throws {UserRejectedError} the visitor declined
 */
export function speedUpTransaction(kit: Kit, { id }: speedUpTransaction.Parameters): Promise<void> {
  return replacePending(kit, id, 'speedUp')
}

/**
 * Replaces a pending transaction with an empty one. The pending transaction may
 * still be included first.
 *
 * @throws what `speedUpTransaction` throws
 */
export function cancelTransaction(kit: Kit, { id }: speedUpTransaction.Parameters): Promise<void> {
  return replacePending(kit, id, 'cancel')
}

export declare namespace speedUpTransaction {
  /** The transaction. */
  type Parameters = {
    /** Its `id`. */
    id: string
  }
}

async function replacePending(kit: Kit, id: string, how: 'speedUp' | 'cancel'): Promise<void> {
  const instance = instanceOf(kit)
  const state = kit.getState()
  const entry = state.pending.find((one) => one.id === id)
  if (entry?.status !== 'pending')
    throw new TransactionError('The transaction is no longer pending')
  if (!entry.hash)
    throw new TransactionError('A batch of calls can be changed only in the wallet that sent it')
  const network = state.networks.find(({ caipNetworkId }) => caipNetworkId === entry.networkId)
  const adapter = network && instance.adapters.get(network.chainNamespace)
  if (!network || !adapter) throw new NetworkNotFoundError({ networkId: entry.networkId })
  const pending = await capability(adapter, 'pending', 'replaceTransaction')
  const { hash, isReplacement } = await pending.replaceTransaction({
    hash: entry.hash,
    network,
    address: entry.account,
    how,
  })
  const follower = followPending(instance)
  if (isReplacement) return follower.replaced(id, hash, how)
  const { account } = entry
  const { symbol: name } = network.nativeCurrency
  follower.add(
    {
      hash,
      network,
      account,
      ...(how === 'speedUp'
        ? { type: entry.type, to: entry.to, transfers: entry.transfers }
        : {
            type: 'execute' as const,
            to: account,
            transfers: [{ direction: 'out', name, amount: '0', isNft: false, image: undefined }],
          }),
    },
    // The caller reports the error.
    () => true,
  )
  throw new NotReplacedError('The wallet sent a second transaction instead of replacing the first')
}
