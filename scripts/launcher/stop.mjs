import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { isRunning } from './process.mjs'

/** The environment variable that marks every process of one run, however deep it was started. */
export const markName = 'GATEFOLD_RUN'

/**
 * Ends process groups: asks their leaders, waits, then ends by force what is left of the groups
 * and whatever else carries the run's mark (a browser and a database leave the group they were
 * started in).
 *
 * @param {{ groups: readonly number[], mark: string, graceMs: number }} run - Group leaders' pids;
 *   the run's mark; how long the leaders may take to end in order.
 */
export async function stop({ groups, mark, graceMs }) {
  for (const pid of groups) signal(pid, 'SIGTERM')
  await until(() => groups.every((pid) => !isRunning(pid)), graceMs)
  await sweep({ groups, mark })
}

/**
 * Ends by force whatever is left of the groups and of the marked processes; resolves when they
 * are gone.
 *
 * @param {{ groups: readonly number[], mark: string }} run
 */
export async function sweep({ groups, mark }) {
  for (const pid of groups) killGroup(pid)
  await until(() => {
    const left = marked(mark)
    for (const pid of left) signal(pid, 'SIGKILL')
    return left.length === 0
  }, 3_000)
}

/**
 * Pids of the processes that carry the mark, this one excepted. Linux only: elsewhere the groups
 * are all there is to go by, and Chromium ends by itself when its control pipe closes.
 *
 * @param {string} mark
 */
export function marked(mark) {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && environment(pid).includes(mark))
}

function environment(/** @type {number} */ pid) {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return pairs.find((pair) => pair.startsWith(`${markName}=`)) ?? ''
  } catch {
    return '' // ended meanwhile, or another user's
  }
}

function killGroup(/** @type {number} */ pid) {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'])
  else signal(-pid, 'SIGKILL')
}

function signal(/** @type {number} */ pid, /** @type {NodeJS.Signals} */ name) {
  try {
    process.kill(pid, name)
  } catch {
    // it ended meanwhile, which is what was wanted
  }
}

async function until(/** @type {() => boolean} */ isDone, /** @type {number} */ limitMs) {
  const end = Date.now() + limitMs
  while (!isDone() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25))
}
