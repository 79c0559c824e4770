import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTests } from '../attacks/runTests.ts'
import type { LuaArea } from './areas.ts'
import { findLuaMutants, type LuaMutant } from './findLuaMutants.ts'
import type { MutationReport } from './report.ts'

/** A mutant that makes the tests exceed this time counts as killed, in ms. */
const limitMs = 120_000

/**
 * Changes the Lua code of a file in small ways, one at a time, and runs the area's tests, which need Redis.
 *
 * @param options.copy - folder of a copy of the repository.
 * @throws if the tests fail or are skipped without a change.
 */
export async function runLua({ path, tests }: LuaArea, copy: string): Promise<MutationReport> {
  const file = join(copy, path)
  const source = await readFile(file, 'utf8')
  const run = (files: readonly string[]) =>
    runTests({ root: copy, files, titles: /./, limitMs, bail: true })
  if (!isPassed(await run(tests))) throw new Error(`the tests of ${path} do not pass`)
  const found = findLuaMutants(path, source)
  const mutants: MutationReport['files'][string]['mutants'] = []
  for (const [index, mutant] of found.entries()) {
    const { kind, start, end, replacement } = mutant
    await writeFile(file, source.slice(0, start) + replacement + source.slice(end))
    let status = 'Survived'
    // Most mutants are detected by the first file.
    for (const test of tests)
      if (status === 'Survived' && !isPassed(await run([test]))) status = 'Killed'
    mutants.push({ mutatorName: kind, replacement, status, location: locationOf(source, mutant) })
    if (status === 'Survived' || (index + 1) % 20 === 0)
      console.log(`${index + 1} of ${found.length}, ${status}: ${source.slice(start, end)}`)
  }
  await writeFile(file, source)
  return { files: { [path]: { source, mutants } } }
}

function isPassed({ tests, faults }: Awaited<ReturnType<typeof runTests>>) {
  return tests.length > 0 && faults.length === 0 && tests.every((test) => test.isPassed)
}

function locationOf(source: string, { start, end }: LuaMutant) {
  const at = (offset: number) => {
    const lines = source.slice(0, offset).split('\n')
    return { line: lines.length, column: lines.at(-1)!.length + 1 }
  }
  return { start: at(start), end: at(end) }
}
