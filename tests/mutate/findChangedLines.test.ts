import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findChangedLines } from './findChangedLines.ts'

test('the lines of TypeScript files that have changed since a commit are found', async () => {
  const root = await mkdtemp(join(tmpdir(), 'gatefold-changed-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@test', ...args], {
      cwd: root,
      stdio: 'ignore',
    })
  const write = (file: string, ...lines: string[]) =>
    writeFile(join(root, file), lines.map((line) => `${line}\n`).join(''))
  git('init')
  await write('kept.ts', 'one', 'two', 'three', 'four', 'five')
  await write('shortened.ts', 'one', 'two')
  await write('deleted.ts', 'one')
  await write('notes.md', 'one')
  git('add', '.')
  git('commit', '-m', 'Add files')
  await write('kept.ts', 'one', 'changed', 'three', '++ b/added.ts', 'added', 'four', 'five')
  await write('shortened.ts', 'two')
  await write('notes.md', 'changed')
  await rm(join(root, 'deleted.ts'))
  await write('new.ts', 'one', 'two')
  git('add', '.')

  expect([...(await findChangedLines(root, 'HEAD'))]).toEqual([
    [
      'kept.ts',
      [
        [2, 2],
        [4, 5],
      ],
    ],
    ['new.ts', [[1, 2]]],
  ])
  await expect(findChangedLines(root, 'v9')).rejects.toThrow(/unknown revision 'v9'|bad revision/)
})
