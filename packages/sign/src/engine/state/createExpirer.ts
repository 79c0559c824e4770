import type { Context } from '../Context.ts'
import { nowSeconds } from '../Context.ts'
import { expireProposal, discardProposal } from '../app/propose.ts'
import { deletePairing, deleteProposal, deleteRequest, deleteSession } from './remove.ts'
import { expireRecord } from '../app/request.ts'
import { isOwn } from './stores.ts'

/** A timer cannot wait longer; then it looks again. */
const longestWaitMs = 86_400_000

/** Unix time in seconds until which an entry without a time of its own is kept. */
const requestLifetime = 900

type Entry = { due: number; stands: () => boolean; expire: () => Promise<void> }

/**
 * Ends what is over, when it is over, and says so.
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
    for (const { due, stands, expire } of listEntries(context))
      // Another run may have come to it meanwhile: each change sets the timer anew.
      if (due <= now && stands()) await expire()
    arm()
  }

  /** To be called after each change. */
  function arm() {
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
    arm,
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
      stands: () => stores.sessions.has(topic),
      async expire() {
        await deleteSession(context, topic)
        event('session_expire', { topic })
      },
    })),
    ...stores.proposals.values().map((proposal) => ({
      due: proposal.expiryTimestamp,
      stands: () => stores.proposals.has(proposal.id),
      async expire() {
        const { id } = proposal
        if (isOwn(proposal, keys)) await discardProposal(context, id)
        else await deleteProposal(context, id)
        if (proposal.withdrawn) return
        expireProposal(context, proposal)
        event('proposal_expire', { id })
      },
    })),
    ...stores.requests.values().map(({ id, params }) => ({
      due: params.request.expiryTimestamp ?? Math.floor(id / 1_000_000) + requestLifetime,
      stands: () => stores.requests.has(id),
      async expire() {
        await deleteRequest(context, id)
        event('session_request_expire', { id })
      },
    })),
    ...stores.authRequests.values().map(({ id, expiryTimestamp }) => ({
      due: expiryTimestamp,
      stands: () => stores.authRequests.has(id),
      async expire() {
        context.recentlyDeleted.add(id, 'request')
        await stores.authRequests.delete(id)
        event('session_request_expire', { id })
      },
    })),
    ...stores.pairings.values().map(({ topic, expiry }) => ({
      due: expiry,
      stands: () => stores.pairings.has(topic),
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
        stands: () => stores.records.has(id),
        expire: () => expireRecord(context, id),
      })),
  ]
}
