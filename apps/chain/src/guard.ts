/**
 * Ends a process when the one that started this guard is gone.
 *
 * The guard's standard input is a pipe from its starter. However that one dies (a crash, `kill -9`,
 * a closed terminal), the kernel closes the pipe and reading ends. A byte before the end means that
 * the guarded process has already ended, and that its id may by now belong to another.
 */
import process from 'node:process'

const guarded = Number(process.argv[2])

process.stdin.once('data', () => process.exit())
process.stdin.once('error', end)
process.stdin.once('end', end)

function end(): void {
  try {
    process.kill(guarded, 'SIGKILL')
  } catch {
    // It ended by itself, which is all that is wanted.
  }
  process.exit()
}
