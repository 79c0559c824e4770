import { expect, test } from 'vitest'
import { formatRow, scoreOf } from './report.ts'

const source = 'if (a) b()\nconst c = "text"\n'
const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
})
const report = {
  files: {
    'a.ts': {
      source,
      mutants: [
        { mutatorName: 'A', status: 'Killed', location: at(1, 5, 6), replacement: 'true' },
        { mutatorName: 'A', status: 'Timeout', location: at(1, 5, 6), replacement: '!a' },
        { mutatorName: 'A', status: 'Survived', location: at(1, 5, 6), replacement: 'false' },
        { mutatorName: 'B', status: 'NoCoverage', location: at(2, 11, 17), replacement: '""' },
        { mutatorName: 'C', status: 'Ignored', location: at(2, 11, 17), replacement: '' },
      ],
    },
  },
}

test('a score counts killed, surviving and uncovered mutants', () => {
  const score = scoreOf(report, [])
  expect(score).toMatchObject({
    killed: 2,
    timedOut: 1,
    survived: 1,
    noCoverage: 1,
    equivalent: 0,
    percent: 50,
  })
  expect(score.unread).toEqual([
    'a.ts:1:5 (A)\n    - a\n    + false',
    'a.ts:2:11 (B, not covered)\n    - "text"\n    + ""',
  ])
  expect(formatRow('a', score, 75)).toBe('| `a` | 2 | 1 | 1 | 1 | 0 | 50.0 % | 75 % |')
})

test('listed survivors are not reported, and equivalent mutants do not lower the score', () => {
  const score = scoreOf(report, [
    { file: 'a.ts', code: 'a', to: 'false', why: '', equivalent: true },
    { file: 'a.ts', code: '"te…', why: '', equivalent: false },
  ])
  expect(score).toMatchObject({ killed: 2, survived: 0, noCoverage: 1, equivalent: 1, unread: [] })
  expect(score.percent).toBeCloseTo(66.7, 1)
})

test('entries that no survivor of a file matches are outdated', () => {
  const one = { code: 'a', to: 'true', why: '', equivalent: true }
  const { outdated } = scoreOf(report, [
    { file: 'a.ts', ...one },
    { file: 'b.ts', ...one },
    { file: 'a.ts', code: 'a', to: 'false', why: '', equivalent: true },
  ])
  expect(outdated).toEqual(['a.ts: a → true'])
})
