import { posix } from 'node:path'
import { findFiles, isTestFile } from './sources.ts'

/** Maximum number of code files per folder, not counting tests. */
const maxFiles = 25

/** Folders exempt from the limit, with the reason. */
const exemptFolders: Record<string, string> = {}

/**
 * Reports folders with more than `maxFiles` code files, because large folders are hard to scan.
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
    length <= maxFiles || folder in exemptFolders
      ? []
      : [
          `${folder} contains ${length} code files, but at most ${maxFiles} are allowed. Split it into subfolders.`,
        ],
  )
}
