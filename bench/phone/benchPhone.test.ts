import { expect, test } from 'vitest'
import { benchPhone } from './benchPhone.ts'

test('measures the time to connect, and the relay’s share of that time', async () => {
  const { total, relay, ours } = await benchPhone({ runs: 1 })
  expect(relay).toBeGreaterThan(0)
  expect(ours).toBeGreaterThan(0)
  expect(Math.abs(total - relay - ours)).toBeLessThanOrEqual(2)
})
