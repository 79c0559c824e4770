import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createMetrics } from './createMetrics.ts'

test('has the metrics of the process and of its own server', async () => {
  const [one, two] = [createMetrics(), createMetrics()]
  one.answered('/health', 200, 0.01)
  expect(await one.text()).toContain('gatefold_http_requests_total{route="/health",status="200"} 1')
  expect(await two.text()).not.toContain('/health')
  for (const { text } of [one, two])
    expect((await text()).match(/^process_resident_memory_bytes \d+$/gm)).toHaveLength(1)
})

test('a server that is no longer used is released from memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const reference = new WeakRef(createMetrics().registry)
  await expect
    .poll(() => {
      collect()
      return reference.deref() === undefined
    })
    .toBe(true)
})
