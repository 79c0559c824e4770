import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

const generated = new Set([
  '.ci',
  '.git',
  '.gatefold',
  '.tools',
  'build',
  'dist',
  'node_modules',
  'test-results',
])

/**
 * Copies the repository to a temporary folder, where Stryker may change the files. Installed
 * packages are linked, but workspaces resolve to the copy, so that child processes and workers that
 * import `@gatefold/…` also run the mutated files.
 *
 * @returns the copy's path; `remove` is synchronous, for `process.on('exit')`
 */
export async function createCopy(root: string): Promise<{ path: string; remove: () => void }> {
  const path = await mkdtemp(join(tmpdir(), 'gatefold-mutate-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  try {
    await cp(root, path, {
      recursive: true,
      filter: (source) => source === root || !generated.has(basename(source)),
    })
    await linkPackages(root, path)
    if (existsSync(join(root, '.tools'))) await symlink(join(root, '.tools'), join(path, '.tools'))
    return { path, remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function linkPackages(root: string, path: string) {
  const installed = join(root, 'node_modules')
  const linked = join(path, 'node_modules')
  await mkdir(linked)
  for (const name of await readdir(installed)) {
    if (name === '@gatefold') continue
    await symlink(join(installed, name), join(linked, name))
  }
  const workspaces = join(installed, '@gatefold')
  await cp(workspaces, join(linked, '@gatefold'), { recursive: true, verbatimSymlinks: true })
  for (const folder of ['packages', 'apps']) {
    for (const name of await readdir(join(root, folder))) await link(join(root, folder, name))
  }
  await link(join(root, 'tests'))
  await link(join(root, 'bench'))

  async function link(workspace: string) {
    const nested = join(workspace, 'node_modules')
    if (existsSync(nested)) await symlink(nested, join(path, relative(root, nested)))
  }
}
