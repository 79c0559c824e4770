import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isRunning, parentOf } from './process.mjs'
import { markName, stop, sweep } from './stop.mjs'

/** How long a task may take to exit after SIGTERM before it is killed, in ms. */
const graceMs = 8_000

/** How often the launcher checks that its parents are running, in ms. */
const parentWatchMs = 300

/** @typedef {ReturnType<typeof createSupervisor>} Supervisor */
/**
 * @typedef {{ code: number, interrupted: boolean }} Outcome - `code` is the exit code or, after a
 * signal, 128 plus its number.
 */

/**
 * Runs child processes and ensures that none outlives this process. Each child leads a process group,
 * and every process of the run has a mark in its environment. A signal, or the exit of a parent,
 * stops the children. A second process, the reaper, stops them if this process was killed. Parents
 * are watched because npm does not forward SIGTERM, and because a killed npm leaves a shell behind
 * that keeps waiting for this process.
 */
export function createSupervisor() {
  const mark = randomUUID()
  // A nested run has both marks, so that the outer run also finds and kills its processes.
  const marks = [process.env[markName], mark].filter(Boolean).join(' ')
  const script = fileURLToPath(new URL('./reaper.mjs', import.meta.url))
  const reaper = spawn(process.execPath, [script, mark, String(graceMs)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  reaper.stdin.on('error', () => {}) // the reaper was killed
  reaper.unref()

  /** @type {Set<number>} */
  const groups = new Set()
  /** @type {NodeJS.Signals | undefined} */
  let ending

  /** Stops every child: gracefully on the first call, immediately on the second. */
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
     * Runs one command until it exits.
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

    /** Stops the reaper and stops watching the parents. Call it last. */
    async close() {
      clearInterval(watch)
      if (reaper.exitCode !== null) return
      reaper.ref()
      const exited = new Promise((resolve) => reaper.once('exit', resolve))
      reaper.stdin.end('done\n')
      await exited
    },
  }
}

/**
 * Calls `onExit` once the parent has exited. Under `npm run`, the parent is a shell, so npm is
 * watched too.
 */
function watchParents(/** @type {() => void} */ onExit) {
  const parent = process.ppid
  const grandparent = process.env['npm_lifecycle_event'] ? parentOf(parent) : undefined
  const timer = setInterval(() => {
    const same = process.ppid === parent && isRunning(parent)
    if (same && (grandparent === undefined || isRunning(grandparent))) return
    clearInterval(timer)
    onExit()
  }, parentWatchMs)
  return timer
}
