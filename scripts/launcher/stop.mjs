import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { isRunning } from './process.mjs'

/** Environment variable that marks every process of a run, including descendants. */
export const markName = 'GATEFOLD_RUN'

/**
 * Stops process groups: sends SIGTERM to the group leaders, waits, then kills the groups. Also
 * kills all other processes with the run's mark, because browsers and databases leave their group.
 *
 * @param {{ groups: readonly number[], mark: string, graceMs: number }} run - The group leaders' pids,
 * the run's mark, and how long the leaders may take to exit.
 */
export async function stop({ groups, mark, graceMs }) {
  for (const pid of groups) signal(pid, 'SIGTERM')
  await until(() => groups.every((pid) => !isRunning(pid)), graceMs)
  await sweep({ groups, mark })
}

/**
 * Kills the groups and the marked processes; resolves once the marked processes have exited, or after
 * 3 s.
 *
 * @param {{ groups: readonly number[], mark: string }} run
 */
export async function sweep({ groups, mark }) {
  for (const pid of groups) killGroup(pid)
  await until(() => {
    const remaining = marked(mark)
    for (const pid of remaining) signal(pid, 'SIGKILL')
    return remaining.length === 0
  }, 3_000)
}

/**
 * Pids of the processes with the mark, except this process. Linux only: on other systems, only the
 * groups are killed, and Chromium exits when its control pipe closes.
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
    return '' // exited, or another user's
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
    // already exited
  }
}

async function until(/** @type {() => boolean} */ isDone, /** @type {number} */ limitMs) {
  const end = Date.now() + limitMs
  while (!isDone() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25))
}
