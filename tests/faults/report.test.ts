import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each([
  ['no problems', [], 0],
  ['a problem', ['3 messages were lost'], 1],
])('a run with %s has the matching exit code', (_, problems, status) => {
  // With the server that the runs start, which ends an idle process with 0.
  const script = `
    await import('./startPostgres.ts')
    const { endWith } = await import('./report.ts')
    endWith(${JSON.stringify(problems)})`
  const run = spawnSync(
    process.execPath,
    ['--conditions=@gatefold/source', '--input-type=module', '--eval', script],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  expect(run.stderr.trim()).toBe(problems.join('\n'))
  expect(run.status).toBe(status)
})
