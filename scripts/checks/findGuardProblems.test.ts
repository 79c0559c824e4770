import { expect, it } from 'vitest'
import { findGuardProblems } from './findGuardProblems.ts'
import { makeTree } from './makeTree.ts'

const row = {
  point: 1,
  guard: 'A list is short.',
  file: 'a.ts',
  find: 'if (list.length > 3)',
  replace: 'if (false)',
  test: 'a.test.ts',
  title: 'attack: a long list of names',
}

function problems(change: Partial<typeof row>, files: Record<string, string> = {}) {
  const root = makeTree({
    'a.ts': 'if (list.length > 3) throw new Error()',
    'a.test.ts': "test.each([])('§1.2 attack: a long list of %s', () => {})",
    ...files,
  })
  return findGuardProblems(root, [{ ...row, ...change }])
}
const inTable = (problem: string) => `tests/attacks/guards.ts, "A list is short.": ${problem}`

it('accepts a row that fits the code, even if its title has a value in place of a placeholder', () => {
  expect(problems({})).not.toContainEqual(expect.stringContaining(row.guard))
  expect(problems({ title: 'attack: a long list of %s' })).not.toContainEqual(
    expect.stringContaining(row.guard),
  )
})

it.each([
  ['the text is gone', { find: 'if (x)' }, '"if (x)" occurs 0 times in a.ts, not once'],
  ['the text is not unique', { find: 'r' }, '"r" occurs 4 times in a.ts, not once'],
  ['nothing changes', { replace: row.find }, 'find and replace are the same text'],
  ['the test is gone', { title: 'attack: x' }, 'a.test.ts has no test "attack: x"'],
  [
    'the test file is gone',
    { test: 'b.test.ts' },
    'b.test.ts has no test "attack: a long list of names"',
  ],
])('error: reports that %s', (_what, change, problem) => {
  expect(problems(change)).toContain(inTable(problem))
})

it('error: reports an attack without a guard, and an outdated document', () => {
  expect(problems({})).toContainEqual(expect.stringContaining('has no guard for attack 2'))
  expect(problems({})).toContainEqual(expect.stringContaining('docs/security.md differs from'))
})
