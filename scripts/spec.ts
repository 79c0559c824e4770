import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { readCoverage } from './checks/readCoverage.ts'
import type { Requirement } from './checks/readCoverage.ts'
import { isProved, outcomeOf, provenStatus, readResults } from './checks/readResults.ts'
import { reportFile } from './reportFile.ts'

// npm run spec: lists the rows of the specification, and the facts of rows that consist of several
// facts, with the tests whose titles cite them. A test counts if it passed in the last `npm test`.
// --missing lists only the rows and facts without such a test, except those of docs/spec/departures.tsv, which the
// product deliberately does not follow; --count prints only the counts.
const { values } = parseArgs({
  options: {
    missing: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
  },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const { rows, problems } = readCoverage(root)
const run = readResults(root, join(root, reportFile))
const results = run?.results ?? new Map()

for (const row of values.count ? [] : rows) {
  if (values.missing && ['proved', 'not followed'].includes(provenStatus(row, results))) continue
  console.log(`§${row.id}  ${row.requirement}`)
  if (row.facts.length === 0 || row.tests.length > 0) printTests(row, row.facts.length === 0)
  for (const fact of row.facts) {
    if (values.missing && (fact.departure !== undefined || isProved(fact, results))) continue
    console.log(`  §${fact.id}  ${fact.requirement}`)
    printTests(fact, true)
  }
}

for (const problem of problems) console.log(problem)

const counts = Map.groupBy(rows, (row) => provenStatus(row, results))
const count = (status: ReturnType<typeof provenStatus>) => counts.get(status)?.length ?? 0
console.log(
  `${rows.length} rows: ${count('proved')} proved, ${count('partly proved')} partly proved, ` +
    `${count('not proved')} with tests that did not pass or run, ${count('without a test')} without a test, ` +
    `${count('not followed')} deliberately not followed`,
)
const facts = rows.flatMap((row) => row.facts)
const several = rows.filter((row) => row.facts.length > 0).length
const provedFacts = facts.filter((fact) => isProved(fact, results)).length
const departed = facts.filter(({ departure }) => departure !== undefined).length
console.log(
  `${facts.length} facts in ${several} rows: ${provedFacts} proved, ${departed} deliberately not followed`,
)
console.log(
  run
    ? `Results from \`npm test\` at ${run.startedAt.toISOString()}: ${results.size} test files`
    : 'No results: run `npm test` first',
)
if (problems.length > 0) process.exitCode = 1

function printTests({ tests, departure }: Requirement, isRequired: boolean) {
  if (departure !== undefined) return console.log(`    not followed: ${departure}`)
  for (const test of tests) {
    const outcome = outcomeOf(test, results)
    const mark = outcome === 'passed' ? '' : `${outcome.toUpperCase()} `
    console.log(`    ${mark}${test.file}: ${test.title}`)
  }
  if (tests.length === 0 && isRequired) console.log('    no test')
}
