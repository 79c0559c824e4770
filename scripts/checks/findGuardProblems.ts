import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatGuards } from '../../tests/attacks/formatGuards.ts'
import { attacks, guards } from '../../tests/attacks/guards.ts'
import type { Guard } from '../../tests/attacks/guards/Guard.ts'
import { readAttackTitles, toPattern } from '../../tests/attacks/titles.ts'

const table = 'tests/attacks/guards.ts'
const page = 'docs/security.md'

/**
 * Reports rows of the table of guards that no longer fit the code: the text that a row replaces must occur
 * once, its test must exist, and every attack must have a guard. docs/security.md must contain the table.
 *
 * @returns One line for each problem.
 */
export function findGuardProblems(root: string, rows: readonly Guard[] = guards): string[] {
  const read = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
  const broken = rows.flatMap(({ guard, file, find, replace, test, title }) => {
    const count = read(file).split(find).length - 1
    const titles = readAttackTitles(test, read(test))
    const problems = [
      count === 1 ? '' : `"${find}" occurs ${count} times in ${file}, not once`,
      find === replace ? 'find and replace are the same text' : '',
      titles.some((known) => known === title || toPattern(known).test(title))
        ? ''
        : `${test} has no test "${title}"`,
    ]
    return problems.filter(Boolean).map((problem) => `${table}, "${guard}": ${problem}`)
  })
  const without = Object.entries(attacks)
    .filter(([point]) => !rows.some((row) => row.point === Number(point)))
    .map(([point, { name }]) => `${table} has no guard for attack ${point}, "${name}"`)
  const isListed = read(page).includes(formatGuards(rows))
  const outdated = `${page} differs from ${table}; insert the output of \`npm run attacks -- --list\``
  return [...broken, ...without, ...(isListed ? [] : [outdated])]
}
