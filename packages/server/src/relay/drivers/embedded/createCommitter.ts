import type { Kysely } from 'kysely'
import type { Database } from '../../../storage/openStorage.ts'
import { sweepMessages, sweepSubscriptions } from '../../../storage/relay.ts'
import { commitWrites, knownMs, type Committed, type Write } from './commitWrites.ts'
import { createCommitCache } from './createCommitCache.ts'

/** The one that writes a relay's messages and subscriptions. Times are Unix times in ms. */
export type Committer = {
  /**
   * Commits come one after the other. One that `follows` was asked for before it was known whether the
   * one before it went through, and fails if that failed.
   *
   * @see {@link commitWrites}
   */
  commit(writes: readonly Write[], now: number, follows: boolean): Promise<Committed>
  /** Deletes some of what is over. @returns whether there may be more. */
  sweep(now: number): Promise<boolean>
  /** Lets go of what it holds of its own. Called when nothing is under way. */
  close(): Promise<void>
}

const sweepRows = 500
/** A client that has not subscribed again for this long is gone; no message lives half as long. */
const subscriptionLifeMs = 30 * 24 * 60 * 60_000

/** Writes to an open database, from this thread. */
export function createCommitter(db: Kysely<Database>): Committer {
  const cache = createCommitCache({ knownMs })
  let last: Promise<unknown> = Promise.resolve()
  let hasFailed = false
  return {
    commit(writes, now, follows) {
      const commit = last.then(async () => {
        if (follows && hasFailed) throw new Error('the commit before it has failed')
        hasFailed = true
        const committed = await commitWrites({ db, cache }, writes, now)
        hasFailed = false
        return committed
      })
      last = commit.catch(() => {})
      return commit
    },
    async sweep(now) {
      if ((await sweepMessages(db, now, sweepRows)) === sweepRows) return true
      await sweepSubscriptions(db, now - subscriptionLifeMs)
      return false
    },
    async close() {},
  }
}
