import { posix } from 'node:path'
import { findFiles, isTestFile } from './sources.ts'

/** Code files that one folder may hold, tests not counted. */
const maxFiles = 25

/** Folders that may hold more, with the reason. */
const larger: Record<string, string> = {}

/**
 * Folders with too many code files to find one by its name.
 *
 * @returns One line for each problem.
 */
export function findLargeFolders(root: string): string[] {
  const files = ['packages', 'apps', 'bench', 'scripts', 'tests']
    .flatMap((folder) => findFiles(root, folder, /\.(tsx?|[cm]?js|css|sol)$/))
    .filter((path) => path.startsWith('tests/') || !isTestFile(path))
    .filter((path) => !/\.test(-d)?\.tsx?$/.test(path))
  const folders = Map.groupBy(files, (path) => posix.dirname(path))
  return [...folders].flatMap(([folder, { length }]) =>
    length <= maxFiles || folder in larger
      ? []
      : [`${folder} holds ${length} code files; at most ${maxFiles} are allowed: group them`],
  )
}
