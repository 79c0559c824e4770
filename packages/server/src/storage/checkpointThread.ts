/** The thread of `startCheckpoints.ts`. Its `workerData` is the path of the SQLite file. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from './openSqlite.ts'

/** How often the size of the write-ahead log is checked, in ms. */
const everyMs = 100
/** Number of pages that start a checkpoint: 4 MB. With more, other connections are more likely to checkpoint first. */
const pages = 1_000
/** Maximum number of checkpoints in succession. Each copies what was written during the one before. */
const maxRuns = 3

const database = openSqlite(workerData as string)
// Before version 3.51, SQLite treats `noop` as `passive`. It then copies fewer pages, more often.
const inspect = database.prepare('pragma wal_checkpoint(noop)')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

/** @returns the number of pages that are not copied to the database yet. */
function countWaiting(statement: typeof inspect): number {
  const [row] = statement.all([]) as [{ log: number; checkpointed: number }]
  return row.log - row.checkpointed
}

const timer = setInterval(() => {
  try {
    if (countWaiting(inspect) < pages) return
    for (let run = 0; run < maxRuns && countWaiting(checkpoint) > 0; run += 1);
  } catch {
    // The disk may be full, which commits report. The next check tries again.
  }
}, everyMs)

parentPort!.once('message', () => {
  clearInterval(timer)
  database.close()
})
