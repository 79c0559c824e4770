import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedis, type Redis } from './redis.ts'

let redis: Redis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** Sends an inline command. @returns the reply */
function send(text: string) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(redis.port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('error', reject)
    socket.once('data', (data) => {
      socket.destroy()
      resolve(data.toString())
    })
  })
}

test('an acknowledged write survives a crash', async () => {
  expect(await send('set key value')).toBe('+OK\r\n')
  await redis.kill()
  await expect(send('get key')).rejects.toThrow('ECONNREFUSED')
  await redis.restart()
  expect(await send('get key')).toBe('$5\r\nvalue\r\n')
})
