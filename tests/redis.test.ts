import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type Redis } from './redis.ts'

let redis: Redis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** One command in Redis' inline form, and its answer. */
function ask(text: string) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(redis.port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('error', reject)
    socket.once('data', (data) => {
      socket.destroy()
      resolve(data.toString())
    })
  })
}

test('what it has answered is there after a crash', async () => {
  expect(await ask('set key value')).toBe('+OK\r\n')
  await redis.kill()
  await expect(ask('get key')).rejects.toThrow('ECONNREFUSED')
  await redis.restart()
  expect(await ask('get key')).toBe('$5\r\nvalue\r\n')
})
