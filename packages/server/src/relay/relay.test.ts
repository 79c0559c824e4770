import { createHash, hash } from 'node:crypto'
import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import { createRelayIdentity, type RelayClientOptions } from '../testing/openRelayClient.ts'
import { randomTopic, startRelay, type TestRelay } from '../testing/startRelay.ts'

const stores = [...engines, ...((await whyNoRedis()) ? [] : (['redis'] as const))]

describe.each(stores)('the relay on %s', (store) => {
  let redis: Redis | undefined
  let database: TestDatabase
  let relay: TestRelay
  beforeAll(async () => {
    if (store === 'redis') redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  const start = (
    config: Parameters<typeof startRelay>[0] = {},
    options?: Parameters<typeof startRelay>[1],
  ) => startRelay({ ...database.config, redisUrl: redis?.url, ...config }, options)
  beforeEach(async () => {
    database = await createDatabase(store === 'redis' ? 'sqlite' : store)
    await redis?.clear()
    relay = await start()
  })
  afterEach(async () => {
    await relay.stop()
    await database.remove()
  })
  const connect = (options?: RelayClientOptions) => relay.connect(options)

  /** Both clients have been answered since, and what was on its way has come. */
  async function settle(...clients: Awaited<ReturnType<typeof connect>>[]) {
    const probe = await connect()
    const topic = randomTopic()
    for (const client of clients) await client.call('irn_subscribe', { topic })
    const before = clients.map((client) => client.pushes.length)
    await probe.publish(topic, `probe ${randomTopic()}`)
    await expect
      .poll(() => clients.every((client, index) => client.pushes.length > before[index]!))
      .toBe(true)
    for (const client of clients) {
      const at = client.pushes.findIndex(({ params }) => params.data.topic === topic)
      client.acknowledge(client.pushes[at]!)
      client.pushes.splice(at, 1)
    }
  }

  test('§7.14.2 a message reaches every subscriber but its publisher', async () => {
    const topic = randomTopic()
    const [app, wallet, other] = [await connect(), await connect(), await connect()]
    const id = await wallet.call('irn_subscribe', { topic })
    expect(id).toBe(
      createHash('sha256')
        .update(topic + wallet.clientId)
        .digest('hex'),
    )
    await app.call('irn_subscribe', { topic })
    await other.call('irn_subscribe', { topic })
    expect(await app.publish(topic, 'hello', { tag: 1108, attestation: 'jwt' })).toBe(true)
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    expect(wallet.pushes[0]).toEqual({
      id: expect.any(Number),
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: {
        id,
        data: {
          topic,
          message: 'hello',
          publishedAt: expect.any(Number),
          tag: 1108,
          attestation: 'jwt',
        },
      },
    })
    expect(Number.isSafeInteger(wallet.pushes[0]!.id)).toBe(true)
    await settle(app, wallet, other)
    expect([app.messages, wallet.messages, other.messages]).toEqual([[], ['hello'], ['hello']])
  })

  test('a message waits for whoever subscribes later, also after a restart', async () => {
    const topic = randomTopic()
    const app = await connect()
    for (const text of ['one', 'two', 'three']) await app.publish(topic, text)
    await relay.stop()
    relay = await start()
    const wallet = await connect()
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(['one', 'two', 'three'])
    // The answer came first.
    expect(wallet.texts[0]).toContain('"result"')
  })

  test('what is acknowledged is not pushed again, what is not is', async () => {
    const topic = randomTopic()
    const identity = createRelayIdentity()
    const app = await connect()
    const before = await connect({ identity, acknowledges: false })
    await before.call('irn_subscribe', { topic })
    for (const text of ['one', 'two']) await app.publish(topic, text)
    await expect.poll(() => before.messages).toEqual(['one', 'two'])
    before.acknowledge(before.pushes[0]!)
    await settle(before)
    await before.drop()
    const after = await connect({ identity })
    // A subscription outlives its socket: nobody has to ask for it again.
    await expect.poll(() => after.messages).toEqual(['two'])
    await settle(after)
    expect(after.messages).toEqual(['two'])
  })

  test('the same text is one message', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await wallet.call('irn_subscribe', { topic })
    const sent = await Promise.all([
      app.publish(topic, 'twice'),
      app.publish(topic, 'twice'),
      app.publish(topic, 'once'),
    ])
    expect(sent).toEqual([true, true, true])
    await expect.poll(() => wallet.messages).toEqual(['twice', 'once'])
    // Also when everybody has it already.
    expect(await app.publish(topic, 'twice')).toBe(true)
    await settle(wallet)
    expect(wallet.messages).toEqual(['twice', 'once'])
    // And on another topic it is another message.
    const elsewhere = randomTopic()
    await wallet.call('irn_subscribe', { topic: elsewhere })
    await app.publish(elsewhere, 'twice')
    await expect.poll(() => wallet.messages).toEqual(['twice', 'once', 'twice'])
  })

  test('§3.19.5 an attestation that comes after its message goes along while nobody has it', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await app.publish(topic, 'proposal')
    await app.publish(topic, 'proposal', { attestation: 'jwt' })
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    expect(wallet.pushes[0]!.params.data.attestation).toBe('jwt')
  })

  test('an empty attestation is not none: clients ask elsewhere for one that is missing', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await app.publish(topic, 'waits', { attestation: '' })
    await app.publish(topic, 'comes later')
    await app.publish(topic, 'comes later', { attestation: '' })
    await app.publish(topic, 'none')
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages.length).toBe(3)
    await settle(wallet)
    await app.publish(topic, 'is told', { attestation: '' })
    await app.publish(topic, 'none is told')
    await expect.poll(() => wallet.messages.length).toBe(5)
    const attestations = wallet.pushes.map(({ params }) => params.data.attestation)
    expect(attestations).toEqual(['', '', undefined, '', undefined])
  })

  test('four equal batch subscribes at once push once, in the order of publishing', async () => {
    const [app, wallet] = [await connect(), await connect()]
    const topics = Array.from({ length: 3 }, randomTopic)
    const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`)
    for (const [index, text] of texts.entries()) await app.publish(topics[index % 3]!, text)
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => wallet.call('irn_batchSubscribe', { topics })),
    )
    expect(ids).toEqual(Array(4).fill(ids[0]))
    await expect.poll(() => wallet.messages.length).toBeGreaterThanOrEqual(texts.length)
    await settle(wallet)
    expect(wallet.messages).toEqual(texts)
  })

  test('many messages of many publishers keep their order on each topic', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await wallet.call('irn_subscribe', { topic })
    const texts = Array.from({ length: 60 }, (_, index) => `message ${index}`)
    await Promise.all(texts.map((text) => app.publish(topic, text)))
    await expect.poll(() => wallet.messages).toEqual(texts)
  })

  test('a mailbox of several pages is pushed whole', async () => {
    const topic = randomTopic()
    const wallet = await connect()
    // Five clients, since one would be delayed.
    const texts = Array.from({ length: 250 }, (_, index) => `message ${index}`)
    for (let start = 0; start < 250; start += 50) {
      const app = await connect()
      const messages = texts
        .slice(start, start + 50)
        .map((message) => ({ topic, message, ttl: 300, tag: 0 }))
      await app.call('irn_batchPublish', { messages })
    }
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(texts)
  })

  test('the answer to a publish comes before anybody is pushed the message', async () => {
    // Which of two sockets is read first is chance; the usual pause is short for a machine at its limit.
    await relay.stop()
    relay = await start({ relayDeliveryDelayMs: 250 })
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await wallet.call('irn_subscribe', { topic })
    const order: string[] = []
    wallet.socket.on('message', () => order.push('pushed'))
    for (let index = 0; index < 5; index += 1) {
      await app.publish(topic, `message ${index}`)
      order.push('answered')
      await expect.poll(() => order.length).toBe(2 * index + 2)
    }
    expect(order.join(' ')).toBe(Array(5).fill('answered pushed').join(' '))
  })

  test.each([
    ["Gatefold's own client", 'wc-2/gatefold-0.1.0/node', { isDelayed: false }],
    ['an official client', 'wc-2/js-2.21.3/linux-24/node', { isDelayed: true }],
    ['a client without user agent', undefined, { isDelayed: true }],
  ])('delays what follows an answer: %s', async (_, ua, { isDelayed }) => {
    await relay.stop()
    relay = await start({ relayDeliveryDelayMs: 300 })
    const [live, stored] = [randomTopic(), randomTopic()]
    const [app, wallet] = [await connect(), await connect({ query: { ua } })]
    await wallet.call('irn_subscribe', { topic: live })
    await app.publish(stored, 'stored')
    const startedAt = performance.now()
    await wallet.call('irn_subscribe', { topic: stored })
    await expect.poll(() => wallet.messages, { interval: 5 }).toEqual(['stored'])
    const storedMs = performance.now() - startedAt
    await app.publish(live, 'live')
    await expect.poll(() => wallet.messages, { interval: 5 }).toEqual(['stored', 'live'])
    const liveMs = performance.now() - startedAt - storedMs
    expect([storedMs > 290, liveMs > 290]).toEqual([isDelayed, isDelayed])
  })

  test('two sockets of one client, as of a page in two tabs, are both pushed to', async () => {
    const topic = randomTopic()
    const identity = createRelayIdentity()
    const app = await connect()
    const older = await connect({ identity })
    await older.call('irn_subscribe', { topic })
    const newer = await connect({ identity })
    await newer.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => [newer.messages, older.messages]).toEqual([['one'], ['one']])
    await newer.drop()
    await app.publish(topic, 'two')
    await expect.poll(() => older.messages).toEqual(['one', 'two'])
  })

  test('what was under way on a lost socket comes on the next', async () => {
    const topic = randomTopic()
    const identity = createRelayIdentity()
    const app = await connect()
    const before = await connect({ identity, acknowledges: false })
    await before.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => before.messages).toEqual(['one'])
    // The old line still stands, as it does for a while when a phone changes networks.
    const after = await connect({ identity })
    await after.call('irn_subscribe', { topic })
    await expect.poll(() => after.messages).toEqual(['one'])
  })

  test('after unsubscribing nothing comes, also not on the next socket', async () => {
    const [topic, other, kept] = [randomTopic(), randomTopic(), randomTopic()]
    const identity = createRelayIdentity()
    const [app, wallet] = [await connect(), await connect({ identity })]
    await wallet.call('irn_batchSubscribe', { topics: [topic, other, kept] })
    // A wrong id is as good as none.
    expect(await wallet.call('irn_unsubscribe', { topic, id: { wrong: 7 } })).toBe(true)
    const subscriptions = [{ topic: other, id: null }]
    expect(await wallet.call('irn_batchUnsubscribe', { subscriptions })).toBe(true)
    await app.publish(topic, 'one')
    await app.publish(other, 'two')
    await settle(wallet)
    expect(wallet.messages).toEqual([])
    await wallet.drop()
    await app.publish(kept, 'three')
    const again = await connect({ identity })
    await expect.poll(() => again.messages.length).toBeGreaterThan(0)
    expect(again.messages).toEqual(['three'])
  })

  test('who leaves a topic and comes back at once hears what comes', async () => {
    const [app, wallet] = [await connect(), await connect()]
    const topics = Array.from({ length: 5 }, randomTopic)
    for (const topic of topics) {
      await wallet.call('irn_subscribe', { topic })
      const left = wallet.call('irn_unsubscribe', { topic, id: '' })
      await wallet.call('irn_subscribe', { topic })
      await left
    }
    // The mailboxes are read by then: what comes now is heard, or missed.
    await settle(wallet)
    for (const topic of topics) await app.publish(topic, topic)
    await expect.poll(() => wallet.messages).toEqual(topics)
  })

  test('a session is proposed and approved without either side subscribing', async () => {
    const [pairingTopic, sessionTopic] = [randomTopic(), randomTopic()]
    const [app, wallet] = [await connect(), await connect()]
    expect(
      await app.call('wc_proposeSession', {
        pairingTopic,
        sessionProposal: 'proposal',
        ttl: null,
        attestation: 'jwt',
      }),
    ).toBe(true)
    await wallet.call('irn_subscribe', { topic: pairingTopic })
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    expect(wallet.pushes[0]!.params.data).toMatchObject({
      message: 'proposal',
      tag: 1100,
      attestation: 'jwt',
    })
    expect(
      await wallet.call('wc_approveSession', {
        pairingTopic,
        sessionTopic,
        sessionProposalResponse: 'response',
        sessionSettlementRequest: 'settlement',
        ttl: 300,
      }),
    ).toBe(true)
    await expect.poll(() => app.messages).toEqual(['response'])
    // The settlement waits for the app, which learns of its topic only now.
    await app.call('irn_subscribe', { topic: sessionTopic })
    await expect.poll(() => app.messages).toEqual(['response', 'settlement'])
    expect(app.pushes.map(({ params }) => params.data.tag)).toEqual([1101, 1102])
    await app.publish(sessionTopic, 'settled')
    await expect.poll(() => wallet.messages).toEqual(['proposal', 'settled'])
  })

  test('older prefixes, blocking variants and a made topic subscribe as well', async () => {
    const topics = Array.from({ length: 5 }, randomTopic)
    const [app, wallet] = [await connect(), await connect()]
    const id = (topic: string) =>
      createHash('sha256')
        .update(topic + wallet.clientId)
        .digest('hex')
    const ask = async (method: string, params: unknown) => (await wallet.ask(method, params)).result
    expect(await ask('iridium_subscribe', { topic: topics[0] })).toBe(id(topics[0]!))
    expect(await ask('waku_batchSubscribe', { topics: [topics[1]] })).toEqual([id(topics[1]!)])
    expect(await ask('irn_subscribeBlocking', { topic: topics[2] })).toBe(id(topics[2]!))
    // What is no topic does not keep the others from being heard.
    const mixed = ['no topic', topics[3], 7]
    const error = { code: -32_600, message: expect.any(String), data: 'InvalidTopic' }
    expect(await ask('irn_batchSubscribeBlocking', { topics: mixed })).toEqual([
      {
        error: { ...error, message: 'Invalid payload: topics.0 must be 64 lower-case hex digits' },
      },
      { id: id(topics[3]!) },
      { error },
    ])
    expect(await ask('irn_batchSubscribeBlocking', { topics: [7] })).toEqual([{ error }])
    expect(await ask('wc_createTopic', { topic: topics[4] })).toBe(true)
    for (const topic of topics)
      await app.ask('waku_publish', { topic, message: topic, ttl: 300, tag: 0 })
    await expect.poll(() => wallet.messages.toSorted()).toEqual(topics.toSorted())
  })

  test('a frame may hold a batch, and receipts beside requests', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect({ acknowledges: false })]
    await wallet.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => wallet.pushes).toHaveLength(1)
    wallet.socket.send(
      `[{"id":${wallet.pushes[0]!.id},"jsonrpc":"2.0","result":true},` +
        `{"id":9007199254740993,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${topic}"}},` +
        '{"id":"x","jsonrpc":"2.0","method":"irn_nothing"}]',
    )
    await expect.poll(() => wallet.texts.length).toBe(3)
    expect(wallet.texts[2]).toMatch(
      /^\[{"id":9007199254740993,"jsonrpc":"2.0","result":"[0-9a-f]{64}"},{"id":"x",/,
    )
    expect(JSON.parse(wallet.texts[2]!)).toMatchObject([
      {},
      { error: { code: -32_600, data: 'InvalidMethod' } },
    ])
    await settle(wallet)
    expect(wallet.messages).toEqual(['one'])
  })

  test('a message that everybody has is let go of, one that somebody lacks is kept', async () => {
    const topic = randomTopic()
    const [app, wallet, lazy] = [
      await connect(),
      await connect(),
      await connect({ acknowledges: false }),
    ]
    const waiting = () => relay.metric('gatefold_relay_mailbox_messages')
    await wallet.call('irn_subscribe', { topic })
    await lazy.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => lazy.messages).toEqual(['one'])
    await expect.poll(() => relay.metric('gatefold_relay_acknowledged_total')).toBe(1)
    expect(await waiting()).toBe(1)
    lazy.acknowledge(lazy.pushes[0]!)
    await expect.poll(waiting).toBe(0)
    // Before anybody has it, nobody is everybody.
    await app.publish(randomTopic(), 'two')
    expect(await waiting()).toBe(1)
  })

  test.each([
    { name: 'a proposal', tag: 1100 },
    { name: 'a request to sign in', tag: 1116 },
  ])(
    '$name is there for each wallet that scans its code while it is alive, once for each',
    async ({ tag }) => {
      const topic = randomTopic()
      const [app, first] = [createRelayIdentity(), createRelayIdentity()]
      let time = Date.now()
      await relay.stop()
      relay = await start({}, { now: () => time })
      const page = await connect({ identity: app })
      await page.call('irn_subscribe', { topic })
      await page.publish(topic, 'invitation', { tag })
      await page.publish(topic, 'to whoever is there', { tag: 1108 })
      const wrong = await connect({ identity: first })
      await wrong.call('irn_subscribe', { topic })
      await expect.poll(() => relay.metric('gatefold_relay_acknowledged_total')).toBe(2)
      expect(await relay.metric('gatefold_relay_mailbox_messages')).toBe(1)

      const fetching = await connect()
      const fetched = async () => {
        const { messages } = (await fetching.call('irn_fetchMessages', { topic })) as {
          messages: { message: string }[]
        }
        return messages.map(({ message }) => message)
      }
      expect(await fetched()).toEqual(['invitation'])
      const receipts = [{ topic, messageId: hash('sha256', 'invitation') }]
      await fetching.call('irn_batchReceive', { receipts })
      expect(await fetched()).toEqual([])

      await relay.stop()
      relay = await start({}, { now: () => time })
      const right = await connect()
      await right.call('irn_subscribe', { topic })
      await expect.poll(() => right.messages).toEqual(['invitation'])
      const others = [await connect({ identity: app }), await connect({ identity: first })]
      for (const client of others) await client.call('irn_subscribe', { topic })
      await settle(...others, right)
      expect([...others, right].map(({ messages }) => messages)).toEqual([[], [], ['invitation']])

      time += 300_000
      const late = await connect()
      await late.call('irn_subscribe', { topic })
      await settle(late)
      expect(late.messages).toEqual([])
    },
  )

  test('of three that listen, one who has a message lets go of it for nobody else', async () => {
    const topic = randomTopic()
    const [app, wallet, other] = [await connect(), await connect(), await connect()]
    const lazy = await connect({ acknowledges: false })
    const waiting = () => relay.metric('gatefold_relay_mailbox_messages')
    for (const client of [app, wallet]) await client.call('irn_subscribe', { topic })
    await app.publish(topic, 'for one')
    await expect.poll(() => relay.metric('gatefold_relay_acknowledged_total')).toBe(1)
    expect(await waiting()).toBe(0)

    for (const client of [other, lazy]) await client.call('irn_subscribe', { topic })
    await app.publish(topic, 'for three')
    await expect.poll(() => relay.metric('gatefold_relay_acknowledged_total')).toBe(3)
    expect(await waiting()).toBe(1)
    await expect.poll(() => lazy.messages).toEqual(['for three'])
    lazy.acknowledge(lazy.pushes[0]!)
    await expect.poll(waiting).toBe(0)
  })
})
