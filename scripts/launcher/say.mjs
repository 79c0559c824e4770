/** Prints one plain line on stderr, so that a task's own stdout stays clean. */
export function say(/** @type {string} */ line) {
  process.stderr.write(`gatefold: ${line}\n`)
}

/** A problem the person at the keyboard can mend: printed without a stack. */
export class LauncherError extends Error {
  /** @param {string} message - What happened and what to do, one sentence a line. */
  constructor(message) {
    super(message)
    this.name = 'LauncherError'
  }
}

/** Milliseconds as people read them: `0.4 s`. */
export function seconds(/** @type {number} */ ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
