import { Hono } from 'hono'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Env } from '../http/access.ts'
import { createMemoryBudgets } from '../http/createMemoryBudgets.ts'
import type { Role } from '../http/Role.ts'
import { createTurns } from '../http/createTurns.ts'
import { openStorage, type Storage } from '../storage/openStorage.ts'
import { saveWatch } from '../storage/relayWatches.ts'
import { createRelayRole, relayPaths } from './createRelayRole.ts'
import type { ServerContext } from './RelayContext.ts'

const hourMs = 60 * 60_000
const logged: unknown[][] = []
let storage: Storage
let now = 0
let role: Role

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  now = 1_000
  logged.length = 0
  storage = await openStorage({ dataDir: ':memory:' })
  role = await createRelayRole({
    config: {
      relayAddressHourlyMib: 100,
      relayAddressMib: 100,
      relayAddressSockets: 100,
      relayCapacityMib: 1_000,
      relayDeliveryDelayMs: 0,
      relayHourlyMib: 1_000,
      relayUrls: ['wss://relay.example'],
      trustedProxies: 1,
    },
    limits: {
      address: { take: () => 0 },
      clients: { take: () => 0 },
      topics: { burst: 100, take: () => 0 },
    },
    log: {
      error: () => {},
      warn: ({ err }: { err: unknown }, text: string) => logged.push([err, text]),
    },
    memory: createMemoryBudgets(),
    metrics: { registry: new Registry(), limited: { inc() {} } },
    now: () => now,
    projects: { get: () => ({ active: true, allowedOrigins: ['*'] }) },
    relayTiming: { pingMs: 25_000, tickMs: 1_000, overBudgetMs: 1 },
    storage,
    turns: createTurns(),
  } as unknown as ServerContext)
})
afterEach(async () => {
  await role.close(0)
  await storage.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const watch = (clientId: string, expiresAt: number) =>
  saveWatch(storage.db, {
    client_id: clientId,
    kind: 'subscriber',
    webhook: 'https://hook.example',
    tags: '[]',
    statuses: '[]',
    expires_at: expiresAt,
  })
const watchers = async () => {
  const rows = await storage.db.selectFrom('relay_watches').select('client_id').execute()
  return rows.map((row) => row.client_id)
}

test('a page of any origin may send any header to the relay’s paths', async () => {
  expect(relayPaths).toEqual(['/', '/rpc'])
  const app = new Hono<Env>().options('/rpc', (c) => role.preflight(c))
  const preflight = async (headers: Record<string, string>) =>
    (await app.request('/rpc', { method: 'OPTIONS', headers })).headers
  const plain = await preflight({})
  expect(plain.get('access-control-allow-origin')).toBe('*')
  expect(plain.get('access-control-allow-methods')).toBe('POST, OPTIONS')
  expect(plain.get('access-control-allow-headers')).toBe('content-type, authorization')
  const other = await preflight({ 'access-control-request-headers': 'x-sdk-version' })
  expect(other.get('access-control-allow-headers')).toBe('x-sdk-version')
})

test('the health is that of the relay', () => {
  expect(role.health!()).toMatchObject({ isUp: true })
})

test('expired watches are deleted when the server starts, then daily until it closes', async () => {
  await watch('early', 999)
  await watch('late', 2_000)
  role.onListening!('http://localhost')
  await expect.poll(watchers).toEqual(['late'])
  now = 3_000
  vi.advanceTimersByTime(24 * hourMs - 1)
  await new Promise(setImmediate)
  expect(await watchers()).toEqual(['late'])
  vi.advanceTimersByTime(1)
  await expect.poll(watchers).toEqual([])
  await role.close(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('error: expired watches that cannot be deleted are logged', async () => {
  const error = new Error('disk full')
  vi.spyOn(storage.db, 'getExecutor').mockImplementation(() => {
    throw error
  })
  role.onListening!('http://localhost')
  await expect.poll(() => logged).toEqual([[error, 'deleting expired watches failed']])
})
