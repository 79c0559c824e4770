import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCrashes } from './crashReporter.ts'

const crashed = {
  cause: new Error(
    `Worker exited unexpectedly with signal SIGTRAP during started state while running test file ${join(process.cwd(), 'tests/a.test.ts')}`,
  ),
}

test('a crash of Node.js is found with its file and signal', () => {
  expect(findCrashes([])).toEqual({})
  expect(findCrashes([crashed])).toEqual({ 'tests/a.test.ts': 'SIGTRAP' })
})

test('with another error, there is nothing to run again', () => {
  expect(findCrashes([crashed, {}])).toEqual({})
  expect(findCrashes([{ cause: new Error('Worker exited unexpectedly') }, crashed])).toEqual({})
})
