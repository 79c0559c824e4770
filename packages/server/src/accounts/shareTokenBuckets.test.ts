import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { startServer, type RunningServer } from '../main.ts'
import { createDatabase, type TestDatabase } from '../testing/databases.ts'

/** Requests that an address may send at once. */
const ipBurst = 64

describe.skipIf(await whyNoRedis())('gateways on one Redis', () => {
  let redis: Redis
  let database: TestDatabase
  let servers: RunningServer[]
  beforeEach(async () => {
    servers = []
    redis = await startRedis()
    database = await createDatabase('sqlite')
  })
  afterEach(async () => {
    for (const server of servers) await server.stop()
    await redis.stop()
    await database.remove()
  })

  async function start() {
    const config: Partial<Config> = { roles: ['gateway'], ipRate: 1, ipBurst, trustedProxies: 1 }
    const rest = { port: 0, logLevel: 'silent' as const, rpcUrls: {}, shutdownSeconds: 1 }
    const server = await startServer({
      ...config,
      ...rest,
      ...database.config,
      redisUrls: [redis.url],
    })
    servers.push(server)
    return server
  }

  function request(server: RunningServer, address = '192.0.2.1') {
    return fetch(`${server.url}/getWallets?projectId=default&page=1&entries=1`, {
      headers: { 'x-forwarded-for': address },
    })
  }

  /** Sends requests to the servers in turn, eight at a time. @returns the number of granted requests. */
  async function flood(targets: readonly RunningServer[], count: number) {
    let granted = 0
    for (let sent = 0; sent < count; sent += 8) {
      const turns = Array.from({ length: 8 }, (_, index) => targets[index % targets.length]!)
      const responses = await Promise.all(turns.map((server) => request(server)))
      granted += responses.filter((response) => response.ok).length
      await Promise.all(responses.map((response) => response.arrayBuffer()))
    }
    return granted
  }

  test('attack: an address has one rate limit across three gateways and a restart', async () => {
    const three = [await start(), await start(), await start()]
    const began = performance.now()
    let granted = await flood(three, 160)
    await servers.pop()!.stop()
    const restarted = await start()
    granted += await flood([restarted], 40)
    const replenished = (performance.now() - began) / 1000
    expect(granted).toBeGreaterThanOrEqual(ipBurst)
    // Each process grants some requests before it learns the usage, more if Redis responds slowly. Unshared buckets
    // would grant all 200.
    expect(granted).toBeLessThanOrEqual(2.5 * ipBurst + replenished)

    const refused = await request(restarted)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await request(restarted, '192.0.2.2')).status).toBe(200)
  })

  test('limit requests by their local buckets while Redis is down', async () => {
    const server = await start()
    await redis.kill()
    const began = performance.now()
    const granted = await flood([server], 120)
    expect(granted).toBeGreaterThanOrEqual(ipBurst)
    expect(granted).toBeLessThanOrEqual(ipBurst + (performance.now() - began) / 1000 + 1)
    expect((await request(server)).status).toBe(429)
    expect((await request(server, '192.0.2.2')).status).toBe(200)
  })
})
