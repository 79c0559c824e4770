/**
 * A worker thread that commits the relay's writes on a separate database connection, so that SQL and
 * file syncs do not block the main thread's sockets.
 *
 * @see docs/adr/0007-relay-writes-in-a-thread.md
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase, type StorageLocation } from '../../../storage/openStorage.ts'
import { fromColumns } from './columns.ts'
import { createCommitter } from './createCommitter.ts'
import type { CommitterAnswer, CommitterCall } from './startCommitter.ts'

const port = parentPort!
const db = await openDatabase(workerData as StorageLocation)
const committer = createCommitter(db)

port.on('message', async (call: CommitterCall) => {
  if (call.name === 'close') {
    await db.destroy()
    return port.close()
  }
  port.postMessage(await answer(call))
})

async function answer(call: Exclude<CommitterCall, { name: 'close' }>): Promise<CommitterAnswer> {
  try {
    const result =
      call.name === 'commit'
        ? await committer.commit(fromColumns(call.columns), call.now, call.follows)
        : await committer.sweep(call.now)
    return { id: call.id, result }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { id: call.id, error: { message, code } }
  }
}
