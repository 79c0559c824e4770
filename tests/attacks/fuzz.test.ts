import { expect, test } from 'vitest'
import { describeExceeded, formatReport } from '../faults/report.ts'
import { fuzz } from './fuzz.ts'

// `npm run attacks -- --only fuzz` sends 200,000 requests.
test('attack: 2,000 mutated frames and requests get neither internal errors nor large replies', async () => {
  const wrong: string[] = []
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await fuzz({ requests: 2_000, seed, onWrong: (what) => wrong.push(what) })
  expect(describeExceeded([report]), [formatReport(report), ...wrong].join('\n')).toEqual([])
})
