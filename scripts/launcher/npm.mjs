import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { LauncherError } from './say.mjs'

/**
 * Path of the npm-cli.js to run: the npm that started us, else the one beside this Node, else the
 * one on the path.
 *
 * @param {Record<string, string | undefined>} env - `npm_execpath` is set by `npm run`; another
 *   package manager's path is not taken, since `npm ci` needs npm itself.
 * @param {string} execPath - Path of a Node binary whose distribution may hold npm.
 * @throws LauncherError when there is none.
 */
export function findNpm(env = process.env, execPath = process.execPath) {
  const started = env['npm_execpath']
  if (started && basename(started) === 'npm-cli.js' && existsSync(started)) return started
  const bin = dirname(execPath)
  const beside = [join(bin, '..', 'lib', 'node_modules'), join(bin, 'node_modules')].map((folder) =>
    join(folder, 'npm', 'bin', 'npm-cli.js'),
  )
  const linked = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'npm'))
  const found = [...beside, ...linked]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
  const npm = found.find((path) => basename(path) === 'npm-cli.js')
  if (npm) return npm
  throw new LauncherError(
    'npm was not found. It comes with Node: install Node 18 or newer from https://nodejs.org,\n' +
      'then run `npm start` or `npm test` again.',
  )
}

/** For every npm we run: no scripts of packages, the cache first, few words, and a short wait. */
export const npmFlags = [
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  // npm's own pauses between tries add up to a minute before it says that there is no network.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=4000',
]

/**
 * The environment for a nested npm: what the outer `npm run` exported for its own script would
 * otherwise steer ours (`NODE_ENV=production` alone leaves out every development dependency).
 */
export function npmEnvironment(env = process.env) {
  const { NODE_ENV: _mode, ...rest } = env
  const kept = Object.entries(rest).filter(
    ([name]) => !/^npm_(package|lifecycle|command|config_(omit|include|workspace))/i.test(name),
  )
  return Object.fromEntries(kept)
}
