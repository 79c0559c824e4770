import { expect, test } from 'vitest'
import { areas, selectAreas, selectChanged } from './areas.ts'

const engine = 'packages/sign/src/engine'

test.each([
  ['an area', 'packages/sign/src/crypto', ['packages/sign/src/crypto']],
  ['a file of an area', 'packages/sign/src/crypto/keys.ts', ['packages/sign/src/crypto/keys.ts']],
  [
    'lines of a file',
    'packages/sign/src/crypto/keys.ts:1-5',
    ['packages/sign/src/crypto/keys.ts:1-5'],
  ],
  ['an area inside another', `${engine}/startEngine.ts`, [`${engine}/startEngine.ts`]],
  [
    'a folder with an area',
    `${engine}/transport`,
    [`${engine}/transport/methods.ts`, `${engine}/transport`],
  ],
  ['a folder outside all areas', 'packages/wallets', []],
  [
    'a folder of areas',
    'packages/server/src/verify',
    ['packages/server/src/verify/createKeyring.ts', 'packages/server/src/verify'],
  ],
])('%s is selected', (_, only, paths) => {
  expect(selectAreas(only).map(({ path }) => path)).toEqual(paths)
})

test('a folder alone is selected without the areas inside it', () => {
  const select = (only: string) => selectAreas(only, true).map(({ path }) => path)
  expect(select('packages/server/src/verify')).toEqual(['packages/server/src/verify'])
  expect(select('packages/sign/src/crypto')).toEqual(['packages/sign/src/crypto'])
  expect(select('packages/server/src')).toEqual([])
})

test('by default, all areas are selected', () => {
  expect(selectAreas('').map(({ path }) => path)).toEqual(areas.map(({ path }) => path))
})

test('a part of an area has the tests and the required score of the area', () => {
  const [area] = selectAreas('packages/sign/src/crypto')
  const [part] = selectAreas('packages/sign/src/crypto/keys.ts')
  expect(part).toMatchObject({ tests: area?.tests, required: area?.required })
})

test('the rest of a folder excludes the files of the areas in it', () => {
  const [inner, outer] = selectAreas(`${engine}/transport`)
  expect(inner?.mutate[0]).toBe(`${engine}/transport/methods.ts`)
  expect(outer?.mutate[0]).toBe(`${engine}/transport/**/*.ts`)
  expect(outer?.mutate).toContain(`!${engine}/transport/methods.ts`)
  expect(selectAreas('packages/sign/src/crypto/keys.ts:1-5')[0]?.mutate[0]).toBe(
    'packages/sign/src/crypto/keys.ts:1-5',
  )
})

test('changed lines are selected in the innermost area of their file', () => {
  const changed = selectChanged(
    selectAreas(engine),
    new Map([
      [
        `${engine}/transport/link.ts`,
        [
          [3, 3],
          [7, 9],
        ],
      ],
      [`${engine}/transport/methods.ts`, [[1, 2]]],
      [`${engine}/transport/link.test.ts`, [[1, 2]]],
      ['packages/sign/src/crypto/keys.ts', [[1, 2]]],
    ]),
  )
  const isRange = (pattern: string) => !pattern.startsWith('!')
  expect(changed.map(({ path, mutate }) => ({ path, lines: mutate.filter(isRange) }))).toEqual([
    {
      path: `${engine}/transport/methods.ts`,
      lines: [`${engine}/transport/methods.ts:1-2`],
    },
    {
      path: `${engine}/transport`,
      lines: [`${engine}/transport/link.ts:3-3`, `${engine}/transport/link.ts:7-9`],
    },
  ])
  const onlyTests = new Map([['packages/sign/src/crypto/keys.test.ts', [[1, 2] as const]]])
  expect(selectChanged(selectAreas(''), onlyTests)).toEqual([])
})
