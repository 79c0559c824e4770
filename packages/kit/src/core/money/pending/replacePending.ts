import { findConnector } from '../../connection/Connector.ts'
import { getAccount, getNetwork } from '../../connection/account.ts'
import { currentConnection } from '../../connection/chainState.ts'
import { capability } from '../../connection/Adapter.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import { NetworkNotFoundError, TransactionError } from '../../kit/requestErrors.ts'
import type { State } from '../../kit/state.ts'
import { followPending } from './followPending.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

/**
 * Sends a pending transaction again with higher fees and the same nonce, so that it is included sooner.
 *
 * @throws {TransactionError} it has ended, the wallet is on another network or used another nonce, or any other failure
 * @throws {UserRejectedError} the visitor declined
 */
export function speedUp(kit: Kit, { id }: replacePending.Parameters): Promise<void> {
  return replacePending(kit, id, 'speedUp')
}

/**
 * Sends a transaction that does nothing in place of a pending one. The pending one is included instead if it is faster.
 *
 * @throws what `speedUp` throws
 */
export function cancel(kit: Kit, { id }: replacePending.Parameters): Promise<void> {
  return replacePending(kit, id, 'cancel')
}

export declare namespace replacePending {
  /** The transaction. */
  type Parameters = {
    /** Its `id`. */
    id: string
  }
}

/** The wallet sent a second transaction instead of replacing the pending one. */
export class NotReplacedError extends TransactionError {
  override name = 'NotReplacedError'
}

async function replacePending(kit: Kit, id: string, how: 'speedUp' | 'cancel'): Promise<void> {
  const instance = instanceOf(kit)
  const state = kit.getState()
  const entry = state.pending.find((one) => one.id === id)
  if (entry?.status !== 'pending')
    throw new TransactionError('The transaction is not pending any more')
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

/** Wallets in the browser use the nonce that they receive; those behind a session often ignore it. */
const replacing: readonly unknown[] = ['INJECTED', 'ANNOUNCED', 'MULTI_CHAIN']

/**
 * Whether the visitor can speed up or cancel a transaction: `network` if the wallet has to switch to its network first,
 * false if its account is not the active one or the wallet is not in the browser.
 */
export function canReplace(
  state: State,
  { status, account, networkId }: PendingTransaction,
): boolean | 'network' {
  const network = state.networks.find(({ caipNetworkId }) => caipNetworkId === networkId)
  if (status !== 'pending' || !network) return false
  const { chainNamespace } = network
  const isActive =
    getAccount(state, chainNamespace)?.address.toLowerCase() === account.toLowerCase()
  const connectorId = currentConnection(state.chains[chainNamespace])?.connectorId
  const connector = findConnector(state.connectors, connectorId ?? '', chainNamespace)
  if (!isActive || !replacing.includes(connector?.type)) return false
  const isThere = getNetwork(state, chainNamespace) === network
  return isThere && !state.chains[chainNamespace]?.unsupportedNetworkId ? true : 'network'
}
