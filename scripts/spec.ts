import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { readCoverage } from './checks/readCoverage.ts'

// npm run spec: lists each requirement of the specification with the tests whose titles cite it.
// --missing lists only the requirements without a test; --count prints only the counts.
const { values } = parseArgs({
  options: {
    missing: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
  },
})

const { rows, problems } = readCoverage(fileURLToPath(new URL('..', import.meta.url)))
const covered = rows.filter(({ tests }) => tests.length > 0)

for (const { id, requirement, tests } of values.count ? [] : rows) {
  if (values.missing && tests.length > 0) continue
  console.log(`§${id}  ${requirement}`)
  for (const { file, title } of tests) console.log(`    ${file}: ${title}`)
  if (tests.length === 0 && !values.missing) console.log('    no test')
}
for (const problem of problems) console.log(problem)
console.log(
  `${rows.length} rows: ${covered.length} with a test, ${rows.length - covered.length} without`,
)
if (problems.length > 0) process.exitCode = 1
