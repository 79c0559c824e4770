import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter } from 'vitest/node'
import { crashesFile } from './reportFile.ts'

/**
 * A Vitest reporter that records the test files in which Node.js crashed, with the signal. Vitest's own report counts
 * these files as passed.
 */
export default class CrashReporter implements Reporter {
  onTestRunEnd(_: unknown, errors: readonly { cause?: unknown }[]): void {
    mkdirSync(dirname(crashesFile), { recursive: true })
    writeFileSync(crashesFile, JSON.stringify(findCrashes(errors)))
  }
}

const crash = /exited unexpectedly with signal (SIG[A-Z]+) .*while running test file (.+)$/m

/**
 * Finds the crashes among the errors that no test reports.
 *
 * @returns the signals by file; none if there is an error that is not a crash
 */
export function findCrashes(errors: readonly { cause?: unknown }[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { cause } of errors) {
    const [, signal, file] = crash.exec((cause as Error | undefined)?.message ?? '') ?? []
    if (!signal || !file) return {}
    found[relative(process.cwd(), file)] = signal
  }
  return found
}
