import { rmSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

/** Generated folders that tests do not need. */
const skipped = new Set([
  '.git',
  '.gatefold',
  '.react-router',
  'build',
  'coverage',
  'dist',
  'test-results',
])

export type Scratch = Awaited<ReturnType<typeof createScratch>>

/**
 * Copies the repository's files to a temporary folder, in which tests can run. Installed packages
 * and tools are linked; links to this repository's packages point into the copy.
 */
export async function createScratch(root: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-attacks-'))
  const installed: string[] = []
  await cp(root, folder, {
    recursive: true,
    filter(source) {
      const name = basename(source)
      if (name === 'node_modules') installed.push(relative(root, source))
      return source === root || !(skipped.has(name) || ['node_modules', '.tools'].includes(name))
    },
  })
  for (const path of installed) await linkPackages(join(root, path), join(folder, path))
  await symlink(join(root, '.tools'), join(folder, '.tools'), 'junction')
  return {
    folder,

    /** Replaces a text in a file. @returns a function that restores the file */
    async replace(path: string, find: string, replacement: string) {
      const file = join(folder, path)
      const text = await readFile(file, 'utf8')
      // A function, because `$` has a special meaning in a replacement string.
      await writeFile(
        file,
        text.replace(find, () => replacement),
      )
      return () => writeFile(file, text)
    },

    /** Removes the copy. It is synchronous, so that a signal handler can call it. */
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
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
    else if (!name.startsWith('.') || name === '.bin') await symlink(source, target, 'junction')
  }
}
