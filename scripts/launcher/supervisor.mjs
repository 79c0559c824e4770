import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isRunning, parentOf } from './process.mjs'
import { markName, stop, sweep } from './stop.mjs'

/** How long a task may take to end in order before it is ended by force, in ms. */
const graceMs = 8_000

/** How often the launcher looks whether its parents still live, in ms. */
const parentWatchMs = 300

/** @typedef {ReturnType<typeof createSupervisor>} Supervisor */
/** @typedef {{ code: number, interrupted: boolean }} Outcome - `code` as a shell would give it. */

/**
 * Runs child processes so that none is left when this one ends, by whatever end: each child leads
 * a process group of its own, every process of the run carries a mark in its environment, signals
 * are passed on, the death of the parents counts as SIGTERM, and a small second process, the
 * reaper, cleans up where this one is killed outright.
 *
 * npm needs the watching of parents: it does not pass SIGTERM on, and killed, it leaves a shell
 * behind that goes on waiting for us.
 */
export function createSupervisor() {
  const mark = randomUUID()
  // A run inside a run carries both marks, so that the outer one's sweep finds it too.
  const marks = [process.env[markName], mark].filter(Boolean).join(' ')
  const script = fileURLToPath(new URL('./reaper.mjs', import.meta.url))
  const reaper = spawn(process.execPath, [script, mark, String(graceMs)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  reaper.stdin.on('error', () => {}) // the reaper was killed: nobody to tell
  reaper.unref()

  /** @type {Set<number>} */
  const groups = new Set()
  /** @type {NodeJS.Signals | undefined} */
  let ending

  /** Ends every child: in order the first time it is called, at once the second time. */
  function end(/** @type {NodeJS.Signals} */ signal) {
    const again = ending !== undefined
    ending ??= signal
    void stop({ groups: [...groups], mark, graceMs: again ? 0 : graceMs })
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => end(signal))
  }
  const watch = watchParents(() => end('SIGTERM'))

  return {
    /**
     * Runs one command to its end.
     *
     * @param {string} command
     * @param {readonly string[]} args
     * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
     * @returns {Promise<Outcome>}
     */
    async run(command, args, { cwd, env = process.env }) {
      if (ending) return { code: 128 + constants.signals[ending], interrupted: true }
      const child = spawn(command, args, {
        cwd,
        env: { ...env, [markName]: marks },
        detached: process.platform !== 'win32',
        stdio: 'inherit',
      })
      const { pid } = child
      if (pid) groups.add(pid)
      if (pid) reaper.stdin.write(`+${pid}\n`)
      const code = await new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('exit', (status, signal) =>
          resolve(status ?? 128 + constants.signals[signal ?? 'SIGTERM']),
        )
      })
      await sweep({ groups: pid ? [pid] : [], mark })
      if (pid) groups.delete(pid)
      if (pid) reaper.stdin.write(`-${pid}\n`)
      return ending
        ? { code: 128 + constants.signals[ending], interrupted: true }
        : { code, interrupted: false }
    },

    /** Sends the reaper home and stops watching; call it last. */
    async close() {
      clearInterval(watch)
      if (reaper.exitCode !== null) return
      reaper.ref()
      const gone = new Promise((resolve) => reaper.once('exit', resolve))
      reaper.stdin.end('done\n')
      await gone
    },
  }
}

/** Calls back once when the parent, or the npm above a parent shell, is gone. */
function watchParents(/** @type {() => void} */ onGone) {
  const parent = process.ppid
  const grandparent = process.env['npm_lifecycle_event'] ? parentOf(parent) : undefined
  const timer = setInterval(() => {
    const same = process.ppid === parent && isRunning(parent)
    if (same && (grandparent === undefined || isRunning(grandparent))) return
    clearInterval(timer)
    onGone()
  }, parentWatchMs)
  return timer
}
