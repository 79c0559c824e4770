import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRunning } from './process.mjs'
import { log } from './log.mjs'

/** Poll interval of a waiting process, in ms. */
const retryMs = 200

/**
 * Runs `action` while this process holds a lock file. Takes over a lock whose process has exited.
 * Has no dependencies, because the launcher uses it before packages are installed.
 *
 * @template T
 * @param {string} path - Path of the lock file, which is created and removed.
 * @param {string} work - A verb phrase, such as `installs packages`, for the log line of a process that
 *   waits for the lock.
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withLock(path, work, action) {
  await mkdir(dirname(path), { recursive: true })
  for (let waiting = false; !(await acquire(path)); waiting = true) {
    if (!waiting) log(`another process ${work}; waiting`)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
  try {
    return await action()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(/** @type {string} */ path) {
  const own = `${path}.${process.pid}`
  await writeFile(own, String(process.pid))
  try {
    await link(own, path) // atomic: fails if the lock file exists
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (holder && !isRunning(holder)) await rm(path, { force: true })
    return false
  } finally {
    await rm(own, { force: true })
  }
}
