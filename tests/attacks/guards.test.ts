import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCopy } from '../createCopy.ts'
import { checkGuards } from './checkGuards.ts'
import { guards } from './guards.ts'
import type { Guard } from './guards/Guard.ts'
import { tryGuard } from './tryGuard.ts'

const root = join(import.meta.dirname, '../..')
const guard = guards.findLast(({ file }) => file === 'packages/protocol/src/signIn.ts')!
let copy: Awaited<ReturnType<typeof createCopy>>

beforeAll(async () => {
  copy = await createCopy(root)
})
afterAll(() => copy?.remove())

describe('a guard’s test', () => {
  const outcomeOf = async (change: Partial<Guard>) =>
    (await tryGuard({ ...guard, ...change }, { copy: copy.path })).outcome

  test('fails while the guard is off', async () => {
    const before = await readFile(join(root, guard.file), 'utf8')
    expect(await outcomeOf({})).toBe('failed')
    expect(await readFile(join(root, guard.file), 'utf8')).toBe(before)
    expect(await readFile(join(copy.path, guard.file), 'utf8')).toBe(before)
  })

  test.each([
    ['passes if the change has no effect', { replace: guard.find }, 'passed'],
    ['is broken by a syntax error', { replace: '&& (' }, 'broken'],
    [
      'is broken by an error that is not an assertion error',
      { replace: '&& undeclared' },
      'broken',
    ],
    ['is broken if there is no such test', { title: 'attack: none' }, 'broken'],
  ])('%s', async (_what, change, outcome) => {
    expect(await outcomeOf(change)).toBe(outcome)
  })
})

test('every guard is switched off by valid code', { timeout: 300_000 }, async () => {
  const invalid = { ...guard, guard: 'Invalid.', replace: '&& undeclared' }
  expect(await checkGuards([...guards, invalid], copy.path)).toEqual([
    { guard: 'Invalid.', error: expect.stringContaining("Cannot find name 'undeclared'") },
  ])
  const [broken] = await checkGuards([{ ...guard, replace: '&& (' }], copy.path)
  expect(broken?.error).toContain('Expression expected')
})
