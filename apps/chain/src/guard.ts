/**
 * Kills a process once the parent of this guard has exited.
 *
 * Stdin is a pipe from the parent. When the parent exits for any reason, `kill -9` included, the kernel
 * closes the pipe. A byte before that means that the guarded process has exited, so its pid may have
 * been reused.
 */
import process from 'node:process'

const guardedPid = Number(process.argv[2])

process.stdin.once('data', () => process.exit())
process.stdin.once('error', end)
process.stdin.once('end', end)

function end(): void {
  try {
    process.kill(guardedPid, 'SIGKILL')
  } catch {
    // Already exited.
  }
  process.exit()
}
