import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Starts guard.ts for a child process, which ends the child when this process exits. */
export function guard(child: ChildProcess): void {
  if (child.pid === undefined) return
  const guardProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL('./guard.ts', import.meta.url)), String(child.pid)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  )
  // These fail only if the guard could not start or has exited; the child works without it.
  guardProcess.once('error', () => {})
  guardProcess.stdin.once('error', () => {})
  guardProcess.unref()
  child.once('close', () => guardProcess.stdin.end('.'))
}
