import type { Network } from '../../networks/Network.ts'
import type { Activity } from '../activity.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

/** A row of the activity: a transaction of the gateway's history, or one that this site submitted. */
export type ActivityEntry = Omit<Activity, 'status' | 'hash'> & {
  /** Its hash; undefined for a batch of calls that no block includes yet. */
  hash: string | undefined
  /** How it ended; `pending` until then. */
  status: PendingTransaction['status']
  /** The transaction that this site submitted, if it is one. */
  submitted: PendingTransaction | undefined
}

/**
 * Adds the transactions that this site submitted to those of the history,
 * newest first; pending ones are the newest. A transaction in both lists has
 * the history's values and the id of the submitted transaction, so that its row
 * is kept.
 */
export function mergeActivities(
  activities: readonly Activity[],
  submitted: readonly PendingTransaction[],
  networks: readonly Network[],
): readonly ActivityEntry[] {
  const listed = activities.map((activity): ActivityEntry => {
    const own = submitted.find(
      ({ hash, networkId, status }) =>
        hash === activity.hash &&
        networkId === activity.network.caipNetworkId &&
        // The hash is the canceling transaction's.
        status !== 'replaced',
    )
    // The history lists the empty transaction that canceled this one.
    if (own?.status === 'canceled')
      return { ...toEntry(own, activity.network), time: activity.time }
    return { ...activity, id: own?.id ?? activity.id, submitted: own }
  })
  const known = new Set(listed.map(({ submitted: own }) => own))
  const others = submitted.flatMap((own) => {
    const network = networks.find(({ caipNetworkId }) => caipNetworkId === own.networkId)
    return network && !known.has(own) ? [toEntry(own, network)] : []
  })
  const rank = ({ status, time }: ActivityEntry) => (status === 'pending' ? Infinity : time)
  // Stable, so that pending ones keep their order.
  return [...others, ...listed].toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
}

function toEntry(own: PendingTransaction, network: Network): ActivityEntry {
  const { id, type, status, hash, account, to, time, endedAt, transfers } = own
  return {
    id,
    // A canceled transfer is still listed as a transfer.
    type,
    status,
    hash,
    network,
    time: endedAt ?? time,
    from: account,
    to,
    transfers,
    isSpam: false,
    submitted: own,
  }
}
