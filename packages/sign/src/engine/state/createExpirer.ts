import type { Context } from '../Context.ts'
import { nowSeconds } from '../Context.ts'
import { requestDeadline } from './requestDeadline.ts'
import { expireProposal, discardProposal } from '../app/propose.ts'
import { deletePairing, deleteProposal, deleteRequest, deleteSession } from './remove.ts'
import { expireRecord } from '../app/request.ts'
import { isSentProposal } from './stores.ts'

/** Longest timer that is set; platforms limit timers to 2^31 ms. */
const longestWaitMs = 86_400_000

type Entry = { due: number; exists: () => boolean; expire: () => Promise<void> }

/**
 * Deletes entries when they expire, and emits their events.
 *
 * @see spec §4.18.6
 */
export function createExpirer(context: Context) {
  const { clock } = context
  let stop: (() => void) | undefined
  let dueMs = Infinity

  async function run() {
    stop = undefined
    dueMs = Infinity
    const now = nowSeconds(context)
    for (const { due, exists, expire } of listEntries(context))
      // Another run may have deleted the entry in the meantime.
      if (due <= now && exists()) await expire()
    schedule()
  }

  /** Must be called after each change of the stores. */
  function schedule() {
    const due = listEntries(context).reduce((first, entry) => Math.min(first, entry.due), Infinity)
    if (due * 1_000 === dueMs) return
    stop?.()
    stop = undefined
    dueMs = due * 1_000
    if (due === Infinity) return
    const wait = Math.min(Math.max(dueMs - clock.now(), 0), longestWaitMs)
    stop = clock.later(() => void run(), wait)
  }

  return {
    run,
    schedule,
    close() {
      stop?.()
      dueMs = -1
    },
  }
}

function listEntries(context: Context): Entry[] {
  const { stores, keys, event } = context
  return [
    ...stores.sessions.values().map(({ topic, expiry }) => ({
      due: expiry,
      exists: () => stores.sessions.has(topic),
      async expire() {
        await deleteSession(context, topic)
        event('session_expire', { topic })
      },
    })),
    ...stores.proposals.values().map((proposal) => ({
      due: proposal.expiryTimestamp,
      exists: () => stores.proposals.has(proposal.id),
      async expire() {
        const { id } = proposal
        if (isSentProposal(proposal, keys)) await discardProposal(context, id)
        else await deleteProposal(context, id)
        if (proposal.withdrawn) return
        expireProposal(context, proposal)
        event('proposal_expire', { id })
      },
    })),
    ...stores.requests.values().map(({ id, params }) => ({
      due: requestDeadline(id, params),
      exists: () => stores.requests.has(id),
      async expire() {
        await deleteRequest(context, id)
        event('session_request_expire', { id })
      },
    })),
    ...stores.authRequests.values().map(({ id, expiryTimestamp }) => ({
      due: expiryTimestamp,
      exists: () => stores.authRequests.has(id),
      async expire() {
        context.recentlyDeleted.add(id, 'request')
        await stores.authRequests.delete(id)
        event('session_request_expire', { id })
      },
    })),
    ...stores.pairings.values().map(({ topic, expiry }) => ({
      due: expiry,
      exists: () => stores.pairings.has(topic),
      expire: () => deletePairing(context, topic),
    })),
    ...stores.records
      .values()
      .filter(
        ({ sent, response, deadline, request }) =>
          sent && !response && deadline !== undefined && request.method !== 'wc_sessionPropose',
      )
      .map(({ id, deadline = Infinity }) => ({
        due: deadline,
        exists: () => stores.records.has(id),
        expire: () => expireRecord(context, id),
      })),
  ]
}
