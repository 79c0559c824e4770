import type { Kysely } from 'kysely'
import type { Database } from '../../../storage/Database.ts'
import { deleteSomeOldRows, rowsAtOnce } from '../../../storage/deleteOldRows.ts'
import { sweepMessages } from '../../../storage/relay.ts'
import { commitWrites, knownMs, type Committed, type Write } from './commitWrites.ts'
import { createCommitCache } from './createCommitCache.ts'

/** Writes the relay's messages and subscriptions. Times are Unix times in ms. */
export type Committer = {
  /**
   * Runs commits one after another. `follows`: whether the previous commit had not finished when this one was
   * requested; if so, and the previous one fails, this one fails too.
   *
   * @see {@link commitWrites}
   */
  commit(writes: readonly Write[], now: number, follows: boolean): Promise<Committed>
  /** Deletes some expired rows. @returns whether there may be more. */
  sweep(now: number): Promise<boolean>
  /** Closes the handles that it opened. Must not be called while a commit or sweep is pending. */
  close(): Promise<void>
}

/** Time after which an absent client's subscriptions expire, in ms. Messages wait for at most 7 days. */
const subscriptionLifeMs = 30 * 24 * 60 * 60_000

/** Creates a committer that writes to an open database in the current thread. */
export function createCommitter(db: Kysely<Database>): Committer {
  const cache = createCommitCache({ knownMs })
  let last: Promise<unknown> = Promise.resolve()
  let hasFailed = false
  return {
    commit(writes, now, follows) {
      const commit = last.then(async () => {
        if (follows && hasFailed) throw new Error('the previous commit failed')
        hasFailed = true
        const committed = await commitWrites({ db, cache }, writes, now)
        hasFailed = false
        return committed
      })
      last = commit.catch(() => {})
      return commit
    },
    async sweep(now) {
      if ((await sweepMessages(db, now, rowsAtOnce)) === rowsAtOnce) return true
      const until = now - subscriptionLifeMs
      const old = { table: 'relay_subscriptions', column: 'subscribed_at', until } as const
      return (await deleteSomeOldRows(db, old)) === rowsAtOnce
    },
    async close() {},
  }
}
