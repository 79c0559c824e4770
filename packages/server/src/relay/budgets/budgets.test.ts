import { startRedis, whyNoRedis } from '@gatefold/tests/redis'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { engines } from '../../testing/databases.ts'
import type { RelayClient } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import { useRelays } from '../../testing/useRelays.ts'

const { addCleanup, database, start } = useRelays()

const stores = [...engines, ...((await whyNoRedis()) ? [] : (['redis'] as const))]

async function startRelay(config: Partial<Config>, store: (typeof stores)[number] = 'sqlite') {
  const relayTiming = { pingMs: 25_000, tickMs: 1_000, overBudgetMs: 300 }
  if (store !== 'redis') return start({ ...(await database(store)), ...config }, { relayTiming })
  const redis = await startRedis()
  addCleanup(() => redis.stop())
  return start({ redisUrls: [redis.url], ...config }, { relayTiming })
}

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const large = (name: string) => name.padEnd(512 * 1024, 'x')

async function publish(client: RelayClient, message: string, topic = randomTopic()) {
  const { error } = await client.request('irn_publish', { topic, message, ttl: 300, tag: 1108 })
  return error?.data ?? 'stored'
}

describe.each(stores)('storage budgets (%s)', (store) => {
  test('attack: an address that uses a new key for each message exhausts only its own budget', async () => {
    const relay = await startRelay({ relayAddressMib: 2, trustedProxies: 1 }, store)
    const outcomes: string[] = []
    const waitsMs: number[] = []
    // IPv6 addresses in one /64 share a budget.
    for (let index = 0; index < 6; index += 1) {
      const client = await relay.connect(from(`2001:db8:1:2::${index + 1}`))
      const begin = performance.now()
      outcomes.push(await publish(client, large(`${index}`)))
      waitsMs.push(performance.now() - begin)
    }
    const over = 'StorageBudgetExceeded'
    expect(outcomes).toEqual([...Array<string>(4).fill('stored'), over, over])
    expect(Math.min(...waitsMs.slice(4))).toBeGreaterThan(290)
    const other = await relay.connect(from('2001:db8:1:3::1'))
    expect(await publish(other, large('x'))).toBe('stored')
  })

  test('delivered messages are not counted', async () => {
    const relay = await startRelay({ relayAddressMib: 2 }, store)
    const topic = randomTopic()
    const [app, wallet] = [await relay.connect(), await relay.connect()]
    await wallet.call('irn_subscribe', { topic })
    for (let index = 0; index < 12; index += 1) {
      expect(await publish(app, large(`${index}`), topic)).toBe('stored')
      await expect.poll(() => wallet.messages.length).toBe(index + 1)
    }
  })
})

test('attack: a project can use at most a tenth of the capacity, from any number of addresses', async () => {
  const relay = await startRelay({ relayCapacityMib: 10, trustedProxies: 1 })
  const outcomes: string[] = []
  for (let index = 0; index < 3; index += 1)
    outcomes.push(await publish(await relay.connect(from(`192.0.2.${index}`)), large(`${index}`)))
  expect(outcomes).toEqual(['stored', 'stored', 'StorageBudgetExceeded'])
})

test('attack: a small message counts as 1 KiB', async () => {
  const relay = await startRelay({ relayAddressMib: 1 })
  const publishBatch = async (name: string) => {
    const messages = Array.from({ length: 400 }, (_, index) => ({
      topic: randomTopic(),
      message: `${name} ${index}`,
      ttl: 300,
      tag: 0,
    }))
    const client = await relay.connect()
    return (await client.request('irn_batchPublish', { messages })).error?.data
  }
  const outcomes = await Promise.all(['a', 'b', 'c'].map(publishBatch))
  expect(outcomes.filter((data) => data === 'StorageBudgetExceeded')).toHaveLength(1)
}, 60_000)

test.each([
  ['sockets', { relayAddressSockets: 3 }],
  ['new client ids', { relayAddressClients: 3 }],
])('attack: the number of %s per address is limited', async (_, config) => {
  const relay = await startRelay({ ...config, trustedProxies: 1 })
  const clients: RelayClient[] = []
  for (let index = 0; index < 4; index += 1) clients.push(await relay.connect(from('192.0.2.1')))
  const { closed, socket } = clients[3]!
  await expect.poll(() => socket.readyState, { timeout: 5_000 }).toBe(socket.CLOSED)
  expect(await closed).toMatchObject({ code: 1013 })
  expect(await publish(await relay.connect(from('192.0.2.2')), 'x')).toBe('stored')
  await clients[0]!.drop()
  // A client id that the relay knows may reconnect.
  const again = await relay.connect({ ...from('192.0.2.1'), identity: clients[0]!.identity })
  expect(await publish(again, 'x')).toBe('stored')
})
