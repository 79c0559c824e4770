import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findNpm, npmEnvironment, npmFlags } from './npm.mjs'
import { withLock } from './lock.mjs'
import { LauncherError, log, formatSeconds } from './log.mjs'

/** @typedef {{ version?: string, optional?: boolean, link?: boolean, optionalDependencies?: Record<string, string> }} LockedPackage */
/** @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile */

/**
 * Identifies an installation: a hash of the lockfile, and the Node major.
 *
 * @param {string | Buffer} lockfile - Contents of package-lock.json.
 * @param {string} nodeMajor - E.g. `24`.
 */
export function stampOf(lockfile, nodeMajor) {
  return `${createHash('sha256').update(lockfile).digest('hex')} node${nodeMajor}`
}

/**
 * Whether node_modules matches the lockfile, according to npm's record in node_modules. This avoids
 * a reinstall after `npm install`, and after switching between branches with the same packages.
 *
 * @param {Lockfile} wanted - package-lock.json.
 * @param {Lockfile} present - node_modules/.package-lock.json.
 */
export function isInstalled(wanted, present) {
  const locked = Object.entries(wanted.packages ?? {}).filter(([path]) =>
    path.includes('node_modules/'),
  )
  const installed = present.packages ?? {}
  const names = new Set(locked.map(([path]) => path))
  if (Object.keys(installed).some((path) => path.includes('node_modules/') && !names.has(path))) {
    return false
  }
  // npm omits a workspace's optional packages, such as the Chromium of the
  // tests, if they need a newer Node.
  const own = new Set(
    Object.values(wanted.packages ?? {}).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).map((name) => `node_modules/${name}`),
    ),
  )
  return locked.every(([path, entry]) => {
    const there = installed[path]
    // Optional packages of other platforms are in the lockfile but not installed.
    if (!there) return entry.optional === true && !own.has(path)
    return there.version === entry.version && there.link === entry.link
  })
}

/**
 * Runs `npm ci`, without install scripts, if node_modules does not match package-lock.json or was
 * installed for another major version of Node.
 *
 * @param {string} root - The repository's folder.
 * @param {string} node - The Node that will run the tasks.
 * @param {string} nodeMajor - Its major version.
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {string} [folder] - The folder of package-lock.json; by default, the repository's.
 */
export async function ensurePackages(root, node, nodeMajor, supervisor, folder = root) {
  const stampFile = join(folder, 'node_modules', '.gatefold-stamp')
  const wanted = () => stampOf(readFileSync(join(folder, 'package-lock.json')), nodeMajor)
  const isCurrent = async () => (await readOr(stampFile, '')) === wanted()
  if (await isCurrent()) return

  const lock = join(root, '.tools', 'install.lock')
  await withLock(lock, 'installs packages', async () => {
    const stamp = wanted()
    const previous = await readOr(stampFile, '')
    if (previous === stamp) return // another launcher installed while this one waited
    const sameNode = previous === '' || previous.endsWith(` node${nodeMajor}`)
    if (!(sameNode && (await npmRecordMatches(folder)))) await install(folder, node, supervisor)
    await writeFile(stampFile, stamp)
  })
}

async function install(
  /** @type {string} */ folder,
  /** @type {string} */ node,
  /** @type {import('./supervisor.mjs').Supervisor} */ supervisor,
) {
  const began = Date.now()
  log('installing packages (npm ci)')
  const flags = ['--include=dev', '--include=optional', ...npmFlags]
  const { code } = await supervisor.run(node, [findNpm(), 'ci', ...flags], {
    cwd: folder,
    env: npmEnvironment(),
  })
  if (code !== 0) {
    throw new LauncherError(
      'npm ci failed (see its output above). Without a network, it needs a filled npm cache. Run\n' +
        '`npm ci --ignore-scripts` to see the full output.',
    )
  }
  log(`packages ready (${formatSeconds(Date.now() - began)})`)
}

async function npmRecordMatches(/** @type {string} */ folder) {
  try {
    const present = JSON.parse(
      await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
    )
    return isInstalled(
      JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')),
      present,
    )
  } catch {
    return false // missing or truncated record
  }
}

async function readOr(/** @type {string} */ file, /** @type {string} */ fallback) {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return fallback
  }
}
