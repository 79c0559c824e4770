import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withLock } from '../scripts/launcher/lock.mjs'

const run = promisify(execFile)
const tools = fileURLToPath(new URL('../.tools/', import.meta.url))

/** A program that npm does not have: the system's own, or one unpacked from Debian's packages. */
export type SystemProgram = { path: string; env: Record<string, string> }

/**
 * Finds a program on the path; on Debian and its children fetches its package else, with the libraries
 * it lacks, into `.tools/`: nothing is installed, no right is needed and no service starts.
 *
 * @param name - the program: `redis-server`
 * @param parameters.packages - Debian packages that hold it
 * @param parameters.file - where it lies in them, from the root
 * @throws Error that says how to get it, when it is neither here nor to be had.
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
    throw new Error(`${name} is not on the path, and Debian's packages could not be had. ${how}`, {
      cause,
    })
  }
  return {
    path: join(folder, parameters.file),
    env: { LD_LIBRARY_PATH: (await libraryFolders(folder)).join(delimiter) },
  }
}

/**
 * Why tests that need a program cannot run here, said on the screen too; undefined where they can.
 * Under CI it is never a reason: those tests then fail and say it.
 *
 * @example describe.skipIf(await whyMissing('redis-server', place))('on Redis', …)
 */
export async function whyMissing(
  name: string,
  place: { packages: readonly string[]; file: string },
): Promise<string | undefined> {
  if (process.env['CI']) return undefined
  try {
    await findProgram(name, place)
    return undefined
  } catch (error) {
    const why = `Skipped what needs ${name}. ${(error as Error).message}`
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
  if (existsSync(folder)) return // another run was first
  const staging = await mkdtemp(`${folder}-`)
  try {
    const archives = join(staging, 'archives')
    await mkdir(join(archives, 'partial'), { recursive: true })
    await download(staging, archives, packages).catch(async () => {
      // A machine that never asked has no lists of packages yet.
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

/** The packages and those they need that the system lacks. */
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
