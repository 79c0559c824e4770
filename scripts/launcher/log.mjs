/** Logs a line to stderr, because stdout is for the task's output. */
export function log(/** @type {string} */ line) {
  process.stderr.write(`gatefold: ${line}\n`)
}

/** An error that the user can fix; printed without a stack trace. */
export class LauncherError extends Error {
  /** @param {string} message - What happened and what to do, one sentence per line. */
  constructor(message) {
    super(message)
    this.name = 'LauncherError'
  }
}

/** Formats milliseconds as `0.4 s`. */
export function formatSeconds(/** @type {number} */ ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
