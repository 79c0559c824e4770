import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether a process is running. On Linux, a zombie counts as not running. */
export function isRunning(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
  return statOf(pid)?.state !== 'Z'
}

/** The pid of a process's parent; `undefined` on Windows. */
export function parentOf(/** @type {number} */ pid) {
  if (process.platform === 'linux') return statOf(pid)?.parent
  if (process.platform === 'win32') return undefined
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(stdout) || undefined
}

/** A process's state letter and parent, from proc(5); `undefined` on systems other than Linux. */
function statOf(/** @type {number} */ pid) {
  try {
    // The second field, the command in parentheses, may itself contain spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}
