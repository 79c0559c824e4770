import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { LauncherError } from './log.mjs'

/**
 * Finds npm-cli.js: of the npm that started this process, of the npm installed with this Node, or
 * of the npm on the PATH, in this order.
 *
 * @param {Record<string, string | undefined>} env - `npm_execpath` is set by `npm run`; another
 *   package manager's is ignored, since `npm ci` needs npm.
 * @param {string} execPath - Path of a Node binary whose distribution may include npm.
 * @throws LauncherError if npm is not found.
 */
export function findNpm(env = process.env, execPath = process.execPath) {
  const started = env['npm_execpath']
  if (started && basename(started) === 'npm-cli.js' && existsSync(started)) return started
  const bin = dirname(execPath)
  const installed = [join(bin, '..', 'lib', 'node_modules'), join(bin, 'node_modules')].map(
    (folder) => join(folder, 'npm', 'bin', 'npm-cli.js'),
  )
  const linked = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'npm'))
  const found = [...installed, ...linked]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
  const npm = found.find((path) => basename(path) === 'npm-cli.js')
  if (npm) return npm
  throw new LauncherError(
    'npm was not found. It comes with Node: install Node 18 or newer from https://nodejs.org,\n' +
      'then run `npm start` or `npm test` again.',
  )
}

/** Flags for every npm call: no install scripts, cache first, quiet, short retries. */
export const npmFlags = [
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  // With npm's defaults, retries take a minute if there is no network.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=4000',
]

/**
 * The environment for a nested npm, without the `npm_package_*`, `npm_lifecycle_*` and `npm_command`
 * variables of an outer `npm run`, without the options that select dependencies or workspaces, and
 * without NODE_ENV (`production` would omit development dependencies).
 */
export function npmEnvironment(env = process.env) {
  const { NODE_ENV: _mode, ...rest } = env
  const kept = Object.entries(rest).filter(
    ([name]) => !/^npm_(package|lifecycle|command|config_(omit|include|workspace))/i.test(name),
  )
  return Object.fromEntries(kept)
}
