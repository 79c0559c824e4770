import { startRedis, type Redis as RedisServer } from '@gatefold/tests/redis'
import { createClient } from '@redis/client'
import { afterAll, beforeAll } from 'vitest'
import { openRedis, type Redis } from '../redis/openRedis.ts'

/**
 * Runs a Redis for the tests of a `describe` block.
 *
 * @returns the server, the product's connection `redis`, and `operator`, a connection of the client library; available
 *   once the first test runs
 */
export function useRedis() {
  let server: RedisServer
  let redis: Redis
  let operator: Awaited<ReturnType<typeof connect>>
  const connect = () => createClient({ url: server.url }).connect()
  beforeAll(async () => {
    server = await startRedis()
    redis = await openRedis({ urls: [server.url], replicas: 0 })
    operator = await connect()
  })
  afterAll(async () => {
    operator.destroy()
    redis.close()
    await server.stop()
  })
  return {
    get server() {
      return server
    },
    get redis() {
      return redis
    },
    get operator() {
      return operator
    },
  }
}
