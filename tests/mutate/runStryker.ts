import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Supervisor } from '../../scripts/launcher/supervisor.mjs'
import type { Selected } from './areas.ts'

const here = dirname(fileURLToPath(import.meta.url))

/**
 * Runs Stryker on one area, in a copy of the repository. Stryker stores the results in
 * `incrementalFile`, and tests only mutants whose code or tests have changed since the last run.
 *
 * @param options.copy - folder of the copy
 * @param options.again - whether to test every mutant, changed or not
 * @returns Stryker's exit code. Stryker also writes `reportFile`.
 */
export async function runStryker(options: {
  area: Selected
  copy: string
  incrementalFile: string
  reportFile: string
  again: boolean
  concurrency: number
  supervisor: Supervisor
}): Promise<number> {
  const { area, copy, incrementalFile, reportFile, again, concurrency, supervisor } = options
  await mkdir(dirname(reportFile), { recursive: true })
  await writeFile(join(copy, 'vitest.mutate.config.ts'), vitestConfig(area.tests))
  const incremental = join(copy, 'incremental.json')
  // The previous area's results would become part of this area's report.
  await rm(incremental, { force: true })
  if (existsSync(incrementalFile)) await copyResults(incrementalFile, incremental)
  const settings = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(here, 'ignoreMessages.ts')],
    ignorers: ['messages'],
    mutate: area.mutate,
    inPlace: true,
    incremental: true,
    force: again,
    incrementalFile: 'incremental.json',
    concurrency,
    coverageAnalysis: 'perTest',
    testRunnerNodeArgs: ['--conditions=@gatefold/source'],
    vitest: { configFile: 'vitest.mutate.config.ts' },
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: reportFile },
    timeoutMS: 10_000,
    allowEmpty: true,
    disableTypeChecks: false,
    checkers: [],
    allowConsoleColors: false,
  }
  await writeFile(join(copy, 'stryker.config.json'), JSON.stringify(settings))
  const bin = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { code } = await supervisor.run(process.execPath, [bin, 'run', 'stryker.config.json'], {
    cwd: copy,
  })
  if (existsSync(incremental)) await copyFile(incremental, incrementalFile)
  return code
}

/**
 * The repository's configuration for unit tests, with only the area's tests. A poll ends after 3 s and a
 * test after 8 s, before Stryker would end the test process. Modules are evaluated again for each mutant: otherwise,
 * mutants of code that runs on import would have no effect.
 */
function vitestConfig(tests: readonly string[]) {
  return `import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'
const { projects, ...test } = base.test
const limits = { testTimeout: 8_000, hookTimeout: 8_000, expect: { poll: { timeout: 3_000 } } }
export default defineConfig({
  ...base,
  test: { ...test, ...projects[0].test, ...limits, isolate: true, include: ${JSON.stringify(tests)} },
})
`
}

/**
 * Copies the previous results, without the static mutants (those in code that runs on import) that
 * survived: Stryker would reuse them even if there are new tests.
 */
async function copyResults(from: string, to: string) {
  const report = JSON.parse(await readFile(from, 'utf8')) as {
    files: Record<string, { mutants: { static?: boolean; status: string }[] }>
  }
  for (const file of Object.values(report.files))
    file.mutants = file.mutants.filter((one) => !one.static || one.status === 'Killed')
  await writeFile(to, JSON.stringify(report))
}
