import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/**
 * Creates arrays that survive, then arrays that are dropped, with the same code. Prints by how many bytes the dropped ones
 * have made the old generation grow.
 */
const script = `
  const { getHeapSpaceStatistics } = await import('node:v8')
  const pair = (first, second) => [first, second]
  const oldBytes = () =>
    getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
  let kept = []
  for (let index = 0; index < 1_000_000; index += 1) kept.push(pair(kept, index))
  kept = []
  const before = oldBytes()
  let sum = 0
  for (let index = 0; index < 200_000; index += 1) sum += pair(sum, index).length
  console.log(oldBytes() - before)
`

async function oldGrowth(setFlags: string): Promise<number> {
  const file = JSON.stringify(import.meta.resolve('./setHeapFlags.ts'))
  const code = `import { setHeapFlags } from ${file}\n${setFlags}\n${script}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code])
  return Number(stdout)
}

test('short-lived objects stay out of the old generation, whatever the same code created before', async () => {
  // V8 decides in another thread, so that some processes are not affected.
  let affected = 0
  for (let runs = 0; runs < 20 && affected < 1_000_000; runs += 1) affected = await oldGrowth('')
  expect(affected).toBeGreaterThan(1_000_000)
  for (let runs = 0; runs < 4; runs += 1)
    expect(await oldGrowth('setHeapFlags()')).toBeLessThan(100_000)
})
