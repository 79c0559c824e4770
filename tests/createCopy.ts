import { existsSync, rmSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

/** Folders that are not copied. `.tools` and the contents of `node_modules` are linked instead. */
const skipped = new Set([
  '.ci',
  '.git',
  '.gatefold',
  '.react-router',
  '.tools',
  'build',
  'coverage',
  'dist',
  'node_modules',
  'test-results',
])

/**
 * Copies the repository to a temporary folder, where tests can run with changed sources. Installed
 * packages and tools are linked, but workspaces resolve to the copy, so that child processes and workers
 * that import `@gatefold/…` also run the changed files.
 *
 * @returns the copy's path; `remove` is synchronous, for `process.on('exit')`
 */
export async function createCopy(root: string): Promise<{ path: string; remove: () => void }> {
  const path = await mkdtemp(join(tmpdir(), 'gatefold-copy-'))
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  const installed: string[] = []
  try {
    await cp(root, path, {
      recursive: true,
      filter(source) {
        const name = basename(source)
        if (name === 'node_modules') installed.push(relative(root, source))
        return source === root || !skipped.has(name)
      },
    })
    for (const folder of installed) await linkPackages(join(root, folder), join(path, folder))
    if (existsSync(join(root, '.tools')))
      await symlink(join(root, '.tools'), join(path, '.tools'), 'junction')
    return { path, remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    const found = await lstat(source)
    // The links of workspaces are relative, so a copy of them points into the copy.
    if (found.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true })
    else if (!found.isDirectory()) await cp(source, target)
    else if (name.startsWith('@')) await linkPackages(source, target)
    // Other hidden folders are caches.
    else if (!name.startsWith('.') || name === '.bin') await symlink(source, target, 'junction')
  }
}
