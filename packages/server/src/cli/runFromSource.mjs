import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../bin.ts', import.meta.url))

/** Restarts this process as bin.ts, with the condition that resolves the other packages to their sources. */
export function runFromSource() {
  const flags = [...process.execArgv, '--conditions=@gatefold/source']
  const args = [...flags, program, ...process.argv.slice(2)]
  // Keeps the pid, so that a service manager can stop the server. Windows has no `execve`.
  if (process.execve && process.platform !== 'win32')
    process.execve(process.execPath, [process.execPath, ...args])
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
