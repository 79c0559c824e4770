import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findLimitProblems } from './findLimitProblems.ts'
import { makeTree } from './makeTree.ts'

it('docs/limits.md has no missing rows, unknown names or wrong values', () => {
  expect(findLimitProblems(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([])
})

it('reports missing rows, unknown names and wrong values', () => {
  const root = makeTree({
    'docs/limits.md': [
      '| name | value | unit |',
      '| --- | --- | --- |',
      '| `dayMs` | 86,400,000 | ms |',
      '| `order` | a, b | |',
      '| `version` | 1.2.3 | |',
      '| `pageSize` | 41 | rows |',
      '| `gone` | 1 | |',
    ].join('\n'),
    'packages/protocol/src/limits/all.ts': `
      export const hourMs = 60 * 60_000
      export const dayMs = 24 * hourMs
      export const order = ['a', 'b'] as const
      export const version = '1.2.3'`,
    'packages/server/src/wallets.ts': 'const pageSize = 40',
  })
  expect(findLimitProblems(root)).toEqual([
    'docs/limits.md has no row for hourMs from packages/protocol/src/limits/all.ts',
    'docs/limits.md says that pageSize is 41, but it is 40 in packages/server/src/wallets.ts',
    'docs/limits.md names gone, but no constant has that name',
  ])
})
