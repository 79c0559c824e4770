import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCrashes } from './crashReporter.ts'

const crashed = {
  cause: new Error(
    `Worker exited unexpectedly with signal SIGTRAP during started state while running test file ${join(process.cwd(), 'tests/a.test.ts')}`,
  ),
}

test('finds the file and the signal of a Node.js crash', () => {
  expect(findCrashes([])).toEqual({})
  expect(findCrashes([crashed])).toEqual({ 'tests/a.test.ts': 'SIGTRAP' })
})

test('finds nothing to run again if there is any other error', () => {
  expect(findCrashes([crashed, {}])).toEqual({})
  expect(findCrashes([{ cause: new Error('Worker exited unexpectedly') }, crashed])).toEqual({})
})
