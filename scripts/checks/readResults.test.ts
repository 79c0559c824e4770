import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTree } from './makeTree.ts'
import { outcomeOf, provenStatus, readResults } from './readResults.ts'
import type { Results } from './readResults.ts'

const file = 'packages/kit/src/a.test.ts'
const results: Results = new Map([
  [
    file,
    [
      { title: 'wallets §1.1 passes', outcome: 'passed' },
      { title: 'wallets §1.2 is skipped', outcome: 'skipped' },
      { title: '§1.3 row one (50%)', outcome: 'passed' },
      { title: '§1.3 row two (50%)', outcome: 'failed' },
      { title: 'for §1.4 of a row', outcome: 'passed' },
    ],
  ],
])

it.each([
  ['§1.1 passes', 'passed'],
  ['§1.2 is skipped', 'skipped'],
  ['§1.3 row %s (50%)', 'failed'],
  ['§1.3 row $name (50%)', 'failed'],
  ['§1.3 row … (50%)', 'failed'],
  ['§1.4 of a row', 'passed'],
  ['§1.5 was not run', 'not run'],
])('the outcome of "%s" is %s', (title, outcome) => {
  expect(outcomeOf({ file, title }, results)).toBe(outcome)
  expect(outcomeOf({ file: 'tests/b.test.ts', title }, results)).toBe('not run')
})

it('a row is proved only if a test of each fact has passed and none has failed', () => {
  const cite = (id: string, ...titles: string[]) => ({
    id,
    requirement: '',
    tests: titles.map((title) => ({ file, title })),
  })
  const passes = '§1.1 passes'
  const skipped = '§1.2 is skipped'
  const row = (...titles: string[]) => ({ ...cite('1.1', ...titles), facts: [] })
  const withFacts = (...facts: string[]) => ({
    ...cite('1.1', passes),
    facts: facts.map((title, index) => cite(`1.1/${index + 1}`, title)),
  })
  expect(
    [
      row(),
      row(skipped),
      row(passes, skipped),
      row(passes, '§1.3 row %s (50%)'),
      withFacts(passes, skipped),
      withFacts(skipped, skipped),
      withFacts(passes, passes),
    ].map((one) => provenStatus(one, results)),
  ).toEqual([
    'without a test',
    'not proved',
    'proved',
    'not proved',
    'partly proved',
    'not proved',
    'proved',
  ])
})

it('a fact that the product deliberately does not follow is not required', () => {
  const fact = (id: string, titles: string[], departure?: string) => ({
    id,
    requirement: '',
    tests: titles.map((title) => ({ file, title })),
    ...(departure && { departure }),
  })
  const departed = fact('1.1/1', [], 'Ours is better.')
  const statusOf = (...facts: ReturnType<typeof fact>[]) =>
    provenStatus({ ...fact('1.1', []), facts }, results)
  expect(statusOf(departed, fact('1.1/2', ['§1.1 passes']))).toBe('proved')
  expect(statusOf(departed, fact('1.1/2', []))).toBe('without a test')
  expect(statusOf(departed)).toBe('not followed')
  expect(provenStatus({ ...departed, facts: [] }, results)).toBe('not followed')
})

it('reads vitest’s report if it exists', () => {
  const root = makeTree({})
  expect(readResults(root, join(root, 'vitest.json'))).toBeUndefined()
  const report = {
    startTime: 0,
    testResults: [
      {
        name: join(root, file),
        assertionResults: [
          { fullName: '§1.1 passes', status: 'passed' },
          { fullName: '§1.2 waits', status: 'pending' },
          { fullName: '§1.3 is left', status: 'todo' },
        ],
      },
    ],
  }
  const tree = makeTree({ 'vitest.json': JSON.stringify(report).replaceAll(root, '/repo') })
  expect(readResults('/repo', join(tree, 'vitest.json'))).toEqual({
    startedAt: new Date(0),
    results: new Map([
      [
        file,
        [
          { title: '§1.1 passes', outcome: 'passed' },
          { title: '§1.2 waits', outcome: 'skipped' },
          { title: '§1.3 is left', outcome: 'skipped' },
        ],
      ],
    ]),
  })
})
