import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/**
 * Runs a package's binary with NODE_ENV=production. Uses a child process, because bundlers change
 * `NODE_ENV` and keep plugin state.
 *
 * @param options.cwd - working directory, from which the package is resolved
 * @throws If the program fails; the message contains its output.
 * @example await runBin({ package: 'vite', bin: 'vite', args: ['build'], cwd })
 */
export function runBin(options: {
  package: string
  bin: string
  args: readonly string[]
  cwd: string
}): Promise<void> {
  const require = createRequire(pathToFileURL(`${options.cwd}/`))
  const manifest = require.resolve(`${options.package}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
  const program = join(dirname(manifest), bin[options.bin] ?? '')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...options.args], {
      cwd: options.cwd,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${options.bin} failed:\n${stripVTControlCharacters(output)}`))
    })
  })
}
