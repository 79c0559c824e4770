// Runs a task of an npm script, such as `npm start`: fetches a newer Node if needed, installs the locked
// packages, then runs the task. Plain JavaScript without dependencies, because it runs before they are
// installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureNode } from './node.mjs'
import { ensurePackages } from './packages.mjs'
import { LauncherError, log } from './log.mjs'
import { createSupervisor } from './supervisor.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The folder of the bundler alto: 375 MB, so only a complete `npm test` installs it unasked. */
const bundler = 'apps/chain/bundler'

/** Node's arguments for each task. The arguments of the caller are appended. */
const tasks = {
  start: ['scripts/start.ts'],
  dev: ['scripts/start.ts', '--dev'],
  test: ['scripts/test.ts'],
  bench: ['bench/main.ts'],
  faults: ['tests/faults/main.ts'],
  mutate: ['tests/mutate/main.ts'],
  attacks: ['tests/attacks/main.ts'],
  spec: ['scripts/spec.ts'],
  check: ['scripts/check.ts'],
  lint: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  format: ['node_modules/oxfmt/bin/oxfmt'],
  typecheck: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  firstHour: ['tests/docs/main.ts'],
  build: ['scripts/build.ts'],
  'docs:api': ['scripts/api/main.ts'],
  playground: ['packages/kit/gallery/server.ts'],
  gatefold: ['packages/server/src/bin.ts'],
}

/** @returns {Promise<number>} The exit code. */
async function main() {
  const [name = '', ...rest] = process.argv.slice(2)
  const task = Object.entries(tasks).find(([known]) => known === name)?.[1]
  if (!task) {
    log(`unknown task "${name}"; available: ${Object.keys(tasks).join(', ')}`)
    return 1
  }
  const [script = '', ...flags] = task
  if (!script.startsWith('node_modules/') && !existsSync(join(root, script))) {
    log(`cannot run "${name}": ${script} does not exist`)
    return 1
  }
  const supervisor = createSupervisor()
  try {
    const node = await ensureNode(root, supervisor)
    await ensurePackages(root, node, majorOf(node), supervisor)
    // The tests of smart accounts are skipped without the bundler.
    if (name === 'test' && rest.length === 0)
      await ensurePackages(root, node, majorOf(node), supervisor, join(root, bundler))
    const args = ['--conditions=@gatefold/source', join(root, script), ...flags, ...rest]
    const { code } = await supervisor.run(node, args, { cwd: root, env: environmentFor(node) })
    return code
  } finally {
    await supervisor.close()
  }
}

/** Major version of a Node binary. */
function majorOf(/** @type {string} */ node) {
  if (node === process.execPath) return process.versions.node.split('.')[0] ?? ''
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return stdout.split('.')[0] ?? ''
}

/** The task's environment, with the selected Node and the installed binaries first on the PATH. */
function environmentFor(/** @type {string} */ node) {
  // Windows calls it `Path`, and ignores a second variable whose name differs only in case.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env[name] ?? '']
  return { ...process.env, [name]: path.join(delimiter) }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof LauncherError)) throw error
  for (const line of error.message.split('\n')) log(line)
  process.exitCode = 1
}
