import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestGateway } from '../testing/createTestGateway.ts'

test('attack: concurrent requests for the health share one query', async () => {
  const gateway = await createTestGateway()
  onTestFinished(() => gateway.stop())
  const health = async () => (await gateway.send('/health')).status
  const answer = Promise.withResolvers<void>()
  const ping = vi.spyOn(gateway.context.storage, 'ping').mockReturnValueOnce(answer.promise)
  const first = Array.from({ length: 50 }, health)
  answer.resolve()
  expect(await Promise.all(first)).toEqual(Array(50).fill(200))
  expect(ping).toHaveBeenCalledTimes(1)

  ping.mockRejectedValueOnce(new Error('the database is down'))
  expect(await health()).toBe(503)
  expect(await health()).toBe(200)
  expect(ping).toHaveBeenCalledTimes(3)
})
