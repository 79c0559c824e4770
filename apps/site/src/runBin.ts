import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/**
 * Runs a package's program for production, in a process of its own: bundlers change `NODE_ENV` and
 * keep their plugins' state.
 *
 * @param options.cwd - folder it works in, and from which the package is found
 * @throws Error with all the program said, when it ends badly.
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
    let said = ''
    child.stdout.on('data', (text) => (said += text))
    child.stderr.on('data', (text) => (said += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${options.bin} failed:\n${stripVTControlCharacters(said)}`))
    })
  })
}
