import { hash } from 'node:crypto'
import { askRedis, startRedis, whyNoRedis } from '@gatefold/tests/redis'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { engines } from '../../testing/databases.ts'
import type { RelayClient } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import { startTcpProxy } from '../../testing/startTcpProxy.ts'
import { useRelays } from '../../testing/useRelays.ts'

const { addCleanup, database, start } = useRelays()

const stores = [...engines, ...((await whyNoRedis()) ? [] : (['redis'] as const))]

const relayTiming = { pingMs: 25_000, tickMs: 1_000, overBudgetMs: 300 }

async function startStore(store: (typeof stores)[number]): Promise<Partial<Config>> {
  if (store !== 'redis') return database(store)
  const redis = await startRedis()
  addCleanup(() => redis.stop())
  return { ...(await database('sqlite')), redisUrls: [redis.url] }
}

async function startRelay(config: Partial<Config>, store: (typeof stores)[number] = 'sqlite') {
  return start({ ...(await startStore(store)), ...config }, { relayTiming })
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

  test('attack: a restart does not give an address a new budget', async () => {
    const config = { ...(await startStore(store)), relayAddressMib: 2, trustedProxies: 1 }
    const before = await start(config, { relayTiming })
    const topic = randomTopic()
    for (let index = 0; index < 4; index += 1) {
      const client = await before.connect(from('192.0.2.1'))
      expect(await publish(client, large(`${index}`), topic)).toBe('stored')
    }
    await before.stop()
    const relay = await start(config, { relayTiming })
    const app = await relay.connect(from('192.0.2.1'))
    expect(await publish(app, large('more'))).toBe('StorageBudgetExceeded')
    expect(await publish(await relay.connect(from('192.0.2.2')), large('x'))).toBe('stored')

    // A message that is acknowledged twice is released only once.
    const wallet = await relay.connect(from('192.0.2.3'))
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages.length).toBe(4)
    await expect.poll(() => publish(app, large('5'))).toBe('stored')
    const receipts = wallet.messages.map((message) => ({
      topic,
      message_id: hash('sha256', message),
    }))
    await wallet.call('irn_batchReceive', { receipts })
    const outcomes: string[] = []
    for (let index = 6; index < 10; index += 1)
      outcomes.push(await publish(await relay.connect(from('192.0.2.1')), large(`${index}`)))
    expect(outcomes).toEqual(['stored', 'stored', 'stored', 'StorageBudgetExceeded'])
  })

  test('expired messages do not count as waiting', async () => {
    const clock = { aheadMs: 0 }
    const relay = await start(
      { ...(await startStore(store)), relayAddressMib: 1 },
      { relayTiming, now: () => Date.now() + clock.aheadMs },
    )
    const app = await relay.connect()
    for (const name of ['1', '2']) expect(await publish(app, large(name))).toBe('stored')
    expect(await publish(app, large('3'))).toBe('StorageBudgetExceeded')
    clock.aheadMs = 6 * 60_000
    for (const name of ['3', '4']) expect(await publish(app, large(name))).toBe('stored')
    expect(await publish(app, large('5'))).toBe('StorageBudgetExceeded')
  })

  test('attack: an address that acknowledges its own messages exhausts its hourly budget', async () => {
    const relay = await startRelay({ relayAddressHourlyMib: 2, trustedProxies: 1 }, store)
    const topic = randomTopic()
    const wallet = await relay.connect(from('192.0.2.1'))
    await wallet.call('irn_subscribe', { topic })
    const outcomes: string[] = []
    for (let index = 0; index < 6; index += 1) {
      const app = await relay.connect(from('192.0.2.1'))
      outcomes.push(await publish(app, large(`${index}`), topic))
      const stored = outcomes.filter((outcome) => outcome === 'stored').length
      await expect.poll(() => wallet.messages.length).toBe(stored)
    }
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(4)
    const other = await relay.connect(from('192.0.2.2'))
    expect(await publish(other, large('x'), topic)).toBe('stored')
  })

  test('acknowledged messages do not count as waiting', async () => {
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

describe.skipIf(!stores.includes('redis'))('two relays on one Redis', () => {
  async function startTwo(config: Partial<Config>) {
    const shared = { ...(await startStore('redis')), ...config, trustedProxies: 1 }
    const startOne = () => start(shared, { relayTiming })
    return { relays: [await startOne(), await startOne()] as const, startOne }
  }

  test('attack: an address has one budget, whichever relay it uses', async () => {
    const { relays } = await startTwo({ relayAddressMib: 2 })
    const [one, two] = relays
    const topic = randomTopic()
    const app = await one.connect(from('192.0.2.1'))
    for (let index = 0; index < 4; index += 1)
      expect(await publish(app, large(`${index}`), topic)).toBe('stored')
    const other = await two.connect(from('192.0.2.1'))
    const params = { topic: randomTopic(), message: large('more'), ttl: 300, tag: 1108 }
    expect((await other.request('irn_publish', params)).error).toMatchObject({
      code: -32_000,
      data: 'StorageBudgetExceeded',
    })
    expect(await publish(await two.connect(from('192.0.2.2')), large('x'))).toBe('stored')

    // A message that is acknowledged through the other relay is released.
    const wallet = await two.connect(from('192.0.2.3'))
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages.length).toBe(4)
    await expect.poll(() => publish(app, large('more'))).toBe('stored')
  })

  test('attack: an address has one limit of new client ids, whichever relay it uses', async () => {
    const { relays } = await startTwo({ relayAddressClients: 8 })
    const connect = async (index: number, address: string) => {
      const client = await relays[index % 2]!.connect(from(address))
      const answer = client.request('irn_subscribe', { topic: randomTopic() })
      return Promise.race([answer.then(() => true), client.closed.then(() => false)])
    }
    const admitted: boolean[] = []
    for (let index = 0; index < 16; index += 1) admitted.push(await connect(index, '192.0.2.1'))
    // A relay learns of the other's client ids once it reports its own.
    expect(admitted.filter(Boolean).length).toBeLessThanOrEqual(9)
    expect(admitted.slice(0, 8)).not.toContain(false)
    expect(await connect(0, '192.0.2.2')).toBe(true)
  })

  test('attack: an address that uses new keys on two relays, before and after a restart, has one budget', async () => {
    const { relays, startOne } = await startTwo({ relayAddressMib: 1 })
    let stored = 0
    const flood = async (targets: readonly (typeof relays)[number][], name: string) => {
      const rounds = Array.from({ length: 12 }, async (_, index) => {
        const client = await targets[index % targets.length]!.connect(from('192.0.2.1'))
        const messages = Array.from({ length: 50 }, (_, at) => ({
          topic: randomTopic(),
          message: `${name} ${index} ${at}`,
          ttl: 86_400,
          tag: 0,
        }))
        if (!(await client.request('irn_batchPublish', { messages })).error) stored += 50
      })
      await Promise.all(rounds)
    }
    for (const name of ['a', 'b', 'c']) await flood(relays, name)
    await Promise.all(relays.map((relay) => relay.stop()))
    const restarted = [await startOne(), await startOne()] as const
    for (const name of ['d', 'e']) await flood(restarted, name)
    // The budget holds 1,024 messages. Each of four processes may exceed it by a sixteenth.
    expect(stored).toBeGreaterThan(900)
    expect(stored).toBeLessThanOrEqual(1024 * (1 + 4 / 16))
    const honest = await restarted[0].connect(from('192.0.2.2'))
    expect(await publish(honest, 'hello')).toBe('stored')
  })
})

test.each([
  ['waiting', { relayCapacityMib: 10 }, false],
  ['hourly', { relayHourlyMib: 10 }, true],
])(
  'attack: a project can use at most a tenth of all %s bytes, from any number of addresses',
  async (_, config, isDelivered) => {
    const relay = await startRelay({ ...config, trustedProxies: 1 })
    const topic = randomTopic()
    const wallet = await relay.connect(from('192.0.2.9'))
    if (isDelivered) await wallet.call('irn_subscribe', { topic })
    const outcomes: string[] = []
    for (let index = 0; index < 3; index += 1) {
      const client = await relay.connect(from(`192.0.2.${index}`))
      outcomes.push(await publish(client, large(`${index}`), topic))
      const stored = outcomes.filter((outcome) => outcome === 'stored').length
      await expect.poll(() => wallet.messages.length).toBe(isDelivered ? stored : 0)
    }
    expect(outcomes).toEqual(['stored', 'stored', 'StorageBudgetExceeded'])
    // The small messages of other addresses still have room.
    expect(await publish(await relay.connect(from('192.0.2.8')), 'small')).toBe('stored')
  },
)

test.skipIf(await whyNoRedis())(
  'attack: the charge of a message is released once, even if the write is repeated after a lost reply of Redis',
  async () => {
    const redis = await startRedis()
    addCleanup(() => redis.stop())
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port })
    addCleanup(() => proxy.stop())
    const relay = await start(
      {
        ...(await database('sqlite')),
        redisUrls: [`redis://127.0.0.1:${proxy.port}`],
        relayAddressMib: 1,
      },
      { relayTiming },
    )
    const app = await relay.connect(from('192.0.2.1'))
    const wallet = await relay.connect(from('192.0.2.2'))
    const topic = randomTopic()
    await wallet.call('irn_subscribe', { topic })
    proxy.mute()
    const published = publish(app, large('1'), topic)
    await expect.poll(() => askRedis(redis.port, 'KEYS *}:m:*')).toContain(topic)
    proxy.cut()
    proxy.mend()
    expect(await published).toBe('stored')
    await expect.poll(() => wallet.messages).toEqual([large('1')])
    await expect.poll(() => askRedis(redis.port, 'KEYS *}:m:*')).not.toContain(topic)

    // Exactly 1 MiB fits again.
    const outcomes: string[] = []
    for (const name of ['2', '3', '4']) outcomes.push(await publish(app, large(name)))
    expect(outcomes).toEqual(['stored', 'stored', 'StorageBudgetExceeded'])
  },
)

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
})

test.each([
  ['sockets', { relayAddressSockets: 3 }],
  ['new client ids', { relayAddressClients: 3 }],
])('attack: the number of %s per address is limited', async (_, config) => {
  const relay = await startRelay({ ...config, trustedProxies: 1 })
  const clients: RelayClient[] = []
  for (let index = 0; index < 4; index += 1) clients.push(await relay.connect(from('192.0.2.1')))
  const { closed, socket } = clients[3]!
  await expect.poll(() => socket.readyState).toBe(socket.CLOSED)
  expect(await closed).toMatchObject({ code: 1013 })
  expect(await publish(await relay.connect(from('192.0.2.2')), 'x')).toBe('stored')
  await clients[0]!.drop()
  // A client id that the relay knows may reconnect.
  const again = await relay.connect({ ...from('192.0.2.1'), identity: clients[0]!.identity })
  expect(await publish(again, 'x')).toBe('stored')
})
