import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRunning } from './process.mjs'
import { say } from './say.mjs'

/** How often a waiting process looks again, in ms. */
const retryMs = 200

/**
 * Runs `action` while this process alone, of all that use the same `path`, runs one. A holder that
 * died is passed over.
 *
 * @template T
 * @param {string} path - A file that stands for the lock; made and removed.
 * @param {string} work - What the holder does, for the line that a waiting process prints.
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withLock(path, work, action) {
  await mkdir(dirname(path), { recursive: true })
  for (let waiting = false; !(await take(path)); waiting = true) {
    if (!waiting) say(`another run ${work}; waiting for it`)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
  try {
    return await action()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(/** @type {string} */ path) {
  const own = `${path}.${process.pid}`
  await writeFile(own, String(process.pid))
  try {
    await link(own, path) // fails where the file is there, and never shows it half written
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
