import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** How often a waiting process looks again, in ms. */
const pollMs = 150

/**
 * Waits until this process is the only one that holds a file, which it then names itself in.
 * A file left behind by a process that is gone does not count.
 *
 * @returns What lets go of it.
 */
export async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isAbandoned(path)) rmSync(path, { force: true })
    else await wait(pollMs)
  }
}

function isAbandoned(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return false
  } catch (error) {
    // ESRCH: the holder is gone. ENOENT (let go meanwhile) and EPERM (another user's) are no such news.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
