/**
 * Kills a process once the parent of this guard has exited.
 *
 * Stdin is a pipe from the parent. When the parent exits for any reason, including `kill -9`, the
 * kernel closes the pipe. If a byte is received first, the guarded process has already exited, and the
 * guard must not kill it: its pid may have been reused.
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
