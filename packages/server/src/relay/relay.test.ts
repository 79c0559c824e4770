import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import { createRelayIdentity, type RelayClientOptions } from '../testing/openRelayClient.ts'
import { randomTopic, startRelay, type TestRelay } from '../testing/startRelay.ts'

describe.each(engines)('the relay on %s', (engine) => {
  let database: TestDatabase
  let relay: TestRelay
  beforeEach(async () => {
    database = await createDatabase(engine)
    relay = await startRelay(database.config)
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
    relay = await startRelay(database.config)
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
})
