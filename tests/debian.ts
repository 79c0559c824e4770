import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withLock } from '../scripts/launcher/lock.mjs'

const run = promisify(execFile)
const tools = fileURLToPath(new URL('../.tools/', import.meta.url))

/** A program that is not from npm: installed on the system, or unpacked from Debian packages. */
export type SystemProgram = { path: string; env: Record<string, string> }

/**
 * Finds a program on the PATH. If it is missing on a Debian-based system, unpacks its packages and
 * their missing dependencies into `.tools/`. This needs no root, installs nothing and starts no
 * services.
 *
 * @param name - the program, such as `redis-server`
 * @param parameters.packages - Debian packages that contain it
 * @param parameters.file - the program's path inside the packages, relative to the root
 * @throws Error with installation instructions if the program cannot be found or fetched.
 */
export async function findProgram(
  name: string,
  parameters: { packages: readonly string[]; file: string },
): Promise<SystemProgram> {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = places.map((folder) => join(folder, name)).find(isExecutable)
  if (found) return { path: found, env: {} }
  const folder = join(tools, `debian-${name}`)
  try {
    if (!existsSync(folder))
      await withLock(`${folder}.lock`, `fetches ${name}`, () =>
        fetchInto(folder, parameters.packages),
      )
  } catch (cause) {
    const how = `Install it (Debian: apt-get install ${parameters.packages.join(' ')}) and run again.`
    throw new Error(
      `${name} is not on the PATH, and its Debian packages could not be fetched. ${how}`,
      {
        cause,
      },
    )
  }
  return {
    path: join(folder, parameters.file),
    env: { LD_LIBRARY_PATH: (await libraryFolders(folder)).join(delimiter) },
  }
}

/**
 * @returns the reason why tests that need a program must be skipped, which is also printed to
 * stderr; undefined if the program is available. Always undefined on CI, where such tests fail
 * instead.
 *
 * @example describe.skipIf(await whyMissing('redis-server', source))('on Redis', …)
 */
export async function whyMissing(
  name: string,
  source: { packages: readonly string[]; file: string },
): Promise<string | undefined> {
  if (process.env['CI']) return undefined
  try {
    await findProgram(name, source)
    return undefined
  } catch (error) {
    const why = `Skipped tests that need ${name}. ${(error as Error).message}`
    process.stderr.write(`${why}\n`)
    return why
  }
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function fetchInto(folder: string, packages: readonly string[]) {
  if (existsSync(folder)) return // fetched by another process meanwhile
  const staging = await mkdtemp(`${folder}-`)
  try {
    const archives = join(staging, 'archives')
    await mkdir(join(archives, 'partial'), { recursive: true })
    await download(staging, archives, packages).catch(async () => {
      // There are no package lists yet.
      await mkdir(join(staging, 'lists/partial'), { recursive: true })
      const lists = ['-o', `Dir::State::lists=${join(staging, 'lists')}`]
      await run('apt-get', ['update', ...lists, '-o', 'Debug::NoLocking=1'])
      await download(staging, archives, packages, lists)
    })
    const content = join(staging, 'content')
    for (const file of await readdir(archives))
      if (file.endsWith('.deb')) await run('dpkg', ['-x', join(archives, file), content])
    await rename(content, folder)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Downloads the packages and their missing dependencies. */
function download(
  staging: string,
  archives: string,
  packages: readonly string[],
  options: readonly string[] = [],
) {
  const own = ['-o', `Dir::Cache=${staging}`, '-o', `Dir::Cache::archives=${archives}`]
  const quiet = ['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root']
  return run('apt-get', [
    'install',
    '--download-only',
    '--yes',
    '--no-install-recommends',
    ...own,
    ...quiet,
    ...options,
    ...packages,
  ])
}

async function libraryFolders(folder: string) {
  const base = join(folder, 'usr/lib')
  const entries = await readdir(base, { withFileTypes: true }).catch(() => [])
  return [
    base,
    ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(base, name)),
  ]
}
