import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startProgram, type Program } from '../program.ts'
import type { Packed } from '../published/packPackages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Example = {
  folder: string
  /** Runs a script of the example's package.json. */
  run(script: string): Promise<void>
  /** Starts the example's server for production or development. */
  start(mode: 'production' | 'development'): Promise<Program>
  remove(): void
}

/** The servers of an example, as its `start` or `preview` script and its `dev` script start them. */
export type ServerArgs = Record<
  'production' | 'development',
  (port: number) => { args: string[]; env?: Record<string, string> }
>

/**
 * Installs an example into a temporary folder as a user would: its dependencies in the versions of its
 * lockfile, and the packed packages. npm fails if a version is outside the packages' peer ranges.
 *
 * @param packed - the packed packages
 */
export async function installExample(
  name: string,
  packed: readonly Packed[],
  servers: ServerArgs,
): Promise<Example> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `gatefold-${name}-`)))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  try {
    const options = ['--no-save', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    await npm(folder, ['install', ...options, ...packed.map(({ archive }) => archive)])
  } catch (error) {
    remove()
    throw error
  }
  return {
    folder,
    remove,
    run: (script) => npm(folder, ['run', script]),
    async start(mode) {
      const port = await freePort()
      const { args, env } = servers[mode](port)
      return startProgram({
        name: `${name} example`,
        args: [join(folder, 'node_modules', args[0]!), ...args.slice(1)],
        cwd: folder,
        port,
        env: { NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: '1', ...env },
        health: '/',
        startLimitMs: 300_000,
      })
    },
  }
}

/** Runs npm in a folder. @throws Error with npm's output if it fails */
function npm(folder: string, args: string[]): Promise<void> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    NODE_ENV: '',
    NEXT_TELEMETRY_DISABLED: '1',
  }
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, {
      cwd: folder,
      env,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm ${args[0]} ${args[1]} failed in ${folder}:\n${output}`))
    })
  })
}
