import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findPublished } from '../packages/findPublished.ts'
import { findWorkspaces } from './workspaces.ts'

/**
 * Reports entries of published packages that would not work in a user's project. Each entry must list
 * its source file first, under a condition that only this repository sets, then its build output.
 * Dependencies of a published package must be published too.
 *
 * @returns One line for each problem.
 */
export function findExportProblems(root: string): string[] {
  const published = findPublished(root)
  const known = new Set(findWorkspaces(root).map(({ name }) => name))
  for (const { name } of published) known.delete(name)
  return published.flatMap(({ folder, name, manifest }) => {
    const file = `${folder}/package.json`
    const entries = Object.entries(manifest.exports ?? {}).flatMap(([entry, conditions]) => {
      const source = conditions['@gatefold/source'] ?? ''
      if (!existsSync(join(root, folder, source)) || !/^\.\/src\/.+\.tsx?$/.test(source)) {
        return [`${file}: "${entry}" lists no source file under @gatefold/source`]
      }
      const built = source.replace('./src/', './dist/').replace(/\.tsx?$/, '')
      const wanted = { '@gatefold/source': source, types: `${built}.d.ts`, default: `${built}.js` }
      // The order matters: the first matching condition wins.
      return isDeepStrictEqual(Object.entries(conditions), Object.entries(wanted))
        ? []
        : [`${file}: "${entry}" must be ${JSON.stringify(wanted)}`]
    })
    const missing = Object.keys(manifest.dependencies ?? {})
      .filter((dependency) => known.has(dependency))
      .map((dependency) => `${name} is published and depends on ${dependency}, which is not`)
    return [...entries, ...missing]
  })
}
