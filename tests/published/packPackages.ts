import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from '@gatefold/site'
import { buildPackages } from '../../scripts/packages/buildPackages.ts'
import { findPublished } from '../../scripts/packages/findPublished.ts'
import { createCopy } from '../createCopy.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.gatefold/packed')
const list = join(folder, 'packed.json')

/** A packed package. `archive` is the path of its archive. */
export type Packed = { name: string; archive: string; files: { path: string }[] }

/**
 * Builds and packs the packages as npm does for the registry, if their sources have changed since the last time. They are
 * built in a copy of the repository, because a user's build in this one may be running.
 */
export async function packPackages(): Promise<Packed[]> {
  await buildOnce({
    name: 'packed-build',
    inputs: [
      ...findPublished(root).flatMap((workspace) =>
        ['src', 'package.json', 'tsconfig.build.json', 'LICENSE', 'NOTICE.md', 'README.md'].map(
          (name) => join(workspace.folder, name),
        ),
      ),
      'scripts/packages',
      'package-lock.json',
      'tsconfig.build.json',
      'tsconfig.json',
    ],
    output: list,
    build,
  })
  return JSON.parse(readFileSync(list, 'utf8')) as Packed[]
}

async function build() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const copy = await createCopy(root)
  try {
    await buildPackages(copy.path)
    writeFileSync(list, JSON.stringify(pack(copy.path)))
  } finally {
    copy.remove()
  }
}

function pack(built: string): Packed[] {
  const folders = findPublished(built).map((workspace) => `./${workspace.folder}`)
  const args = ['pack', ...folders, '--pack-destination', folder, '--json', '--offline']
  const output = execFileSync('npm', [...args, '--ignore-scripts'], {
    cwd: built,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  type Entry = Omit<Packed, 'archive'> & { filename: string }
  // npm prints an array or, in newer versions, an object by package name.
  return Object.values(JSON.parse(output) as Record<string, Entry>).map(
    ({ name, files, filename }) => ({ name, files, archive: join(folder, filename) }),
  )
}
