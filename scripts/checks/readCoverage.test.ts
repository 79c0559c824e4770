import { describe, expect, it } from 'vitest'
import { readCoverage, readRowIds, readTitles } from './readCoverage.ts'
import { makeTree } from './makeTree.ts'

const rowIds = ['1.3', '2.4', '2.5', '4.1.1', '4.1.2', '4.1.3', '4.3.3', '4.4', '5.10.1', '5.10.10']
const ids = [...rowIds, '2.4/1', '2.4/2', '4.1.1/12']

describe('the row ids cited by a title', () => {
  it.each([
    ['§4.3.3 shake clears after 500 ms', ['4.3.3']],
    ['§1.3: one network', ['1.3']],
    ['§5.10.10 but no shorter id', ['5.10.10']],
    ['§4.1.1, 4.1.2 both', ['4.1.1', '4.1.2']],
    ['§4.1.1, §4.4 both', ['4.1.1', '4.4']],
    ['§4.1.1/4.4 both', ['4.1.1', '4.4']],
    ['§2.4 and 2.5 both', ['2.4', '2.5']],
    ['§2.4/2 a fact', ['2.4/2']],
    ['§2.4/1 §4.1.1/12, 4.4 two facts and a row', ['2.4/1', '4.1.1/12', '4.4']],
    ['§4.1.1-4.1.3 a range', ['4.1.1', '4.1.2', '4.1.3']],
    ['§4.1.1–3 a short range', ['4.1.1', '4.1.2', '4.1.3']],
    ['§2.4–2.5, 4.4 a range and a row', ['2.4', '2.5', '4.4']],
    ['§4.3.3, 500 ms later', ['4.3.3']],
    ['§4.3.3, 1.3 s later', ['4.3.3']],
    ['4.3.3 without the section sign', []],
  ])('%s', (title, found) => {
    expect(readRowIds(title, ids)).toEqual({ found, unknown: [] })
  })

  it.each([
    ['§4.3 a part of an id', ['4.3']],
    ['§9.9.9 an unknown row', ['9.9.9']],
    ['§2.4/3 an unknown fact', ['2.4/3']],
    ['§4.1.1-9 a range whose end is not a row', ['4.1.9']],
    ['§4.1.3-1 a reversed range', ['4.1.3-4.1.1']],
  ])('error: %s', (title, unknown) => {
    expect(readRowIds(title, ids)).toEqual({ found: [], unknown })
  })
})

it('reads titles from literals, templates and table rows, but not from comments', () => {
  const text = `
    // §1.1 a comment
    it('§1.3 literal', () => {})
    it(\`§2.4 for \${name}\`, () => {})
    it.each([{ rule: '§2.5 a row' }])('$rule', () => { expect(1).toBe(1) })`
  expect(readTitles('a.test.tsx', text)).toEqual(['§1.3 literal', '§2.4 for …', '§2.5 a row'])
})

it('lists the rows in the ledger’s order with their facts, and reports unknown ids', () => {
  const { rows, problems } = readCoverage(
    makeTree({
      'docs/spec/ledger.tsv': 'id\trequirement\n1.3\tOne network.\n2.4\tAnother; a third.\n',
      'docs/spec/facts.tsv': 'id\tfact\n2.4/1\tAnother.\n2.4/2\tA third.\n2.4/4\tA fifth.\n',
      'docs/spec/departures.tsv': 'id\treason\n2.4/1\tOurs is better.\n2.9\tNone.\n',
      'packages/kit/src/a.test.ts': "it('§1.3 §2.4/2 one network', () => {})",
      'tests/journeys/b.test.ts': "it('§7.7 nothing', () => {})",
      'packages/kit/src/not-a-test.ts': "export const text = '§2.4'",
    }),
  )
  const tests = [{ file: 'packages/kit/src/a.test.ts', title: '§1.3 §2.4/2 one network' }]
  expect(rows).toEqual([
    { id: '1.3', requirement: 'One network.', tests, facts: [] },
    {
      id: '2.4',
      requirement: 'Another; a third.',
      tests: [],
      facts: [
        { id: '2.4/1', requirement: 'Another.', tests: [], departure: 'Ours is better.' },
        { id: '2.4/2', requirement: 'A third.', tests },
      ],
    },
  ])
  expect(problems).toEqual([
    'docs/spec/facts.tsv: 2.4/4 has no row, or is out of sequence',
    'docs/spec/departures.tsv: 2.9 is not a row or a fact',
    'tests/journeys/b.test.ts: "§7.7 nothing" cites §7.7, which is not a row or a fact',
  ])
})

it('a test cannot cite what the product deliberately does not follow', () => {
  const { problems } = readCoverage(
    makeTree({
      'docs/spec/ledger.tsv': 'id\trequirement\n1.3\tOne network.\n2.4\tAnother.\n',
      'docs/spec/facts.tsv': 'id\tfact\n',
      'docs/spec/departures.tsv': 'id\treason\n1.3\tThere are several.\n',
      'packages/kit/src/a.test.ts': "it('§1.3 §2.4 one network', () => {})",
    }),
  )
  expect(problems).toEqual([
    'packages/kit/src/a.test.ts: "§1.3 §2.4 one network" cites §1.3, which docs/spec/departures.tsv lists',
  ])
})
