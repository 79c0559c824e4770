import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The changed lines of each file, as ranges of line numbers. */
export type ChangedLines = ReadonlyMap<string, readonly LineRange[]>
/** The first and the last line. */
export type LineRange = readonly [first: number, last: number]

/**
 * Finds the lines of TypeScript files that were added or changed since a commit, including changes that are not
 * committed.
 *
 * @param root - folder of the repository
 * @throws {Error} if Git does not know the commit.
 */
export async function findChangedLines(root: string, since: string): Promise<ChangedLines> {
  const options = ['--unified=0', '--no-color', '--no-ext-diff', '--no-renames', '--diff-filter=d']
  const { stdout } = await promisify(execFile)(
    'git',
    ['diff', ...options, '--dst-prefix=b/', since, '--', '*.ts'],
    { cwd: root, maxBuffer: 256 * 1024 * 1024 },
  )
  return parseDiff(stdout)
}

/** Reads the ranges from the headers of a diff without context lines. */
function parseDiff(diff: string): ChangedLines {
  const changed = new Map<string, LineRange[]>()
  let file = ''
  /** Whether the line is in the header of a file: an added line can look like one. */
  let isHeader = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) isHeader = true
    if (isHeader && line.startsWith('+++ b/')) file = line.slice('+++ b/'.length)
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!hunk) continue
    isHeader = false
    const [first, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)]
    if (count > 0) changed.set(file, [...(changed.get(file) ?? []), [first, first + count - 1]])
  }
  return changed
}
