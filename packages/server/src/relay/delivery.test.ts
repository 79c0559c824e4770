import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeStores } from '../testing/describeStores.ts'
import { createRelayIdentity } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'

describeStores('delivery', ({ connect, restart, settle }) => {
  test('§7.14.2 a message reaches every subscriber except its publisher', async () => {
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

  test('redelivers only unacknowledged messages', async () => {
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
    // A subscription survives its socket, so the client does not need to subscribe again.
    await expect.poll(() => after.messages).toEqual(['two'])
    await settle(after)
    expect(after.messages).toEqual(['two'])
  })

  test('keeps the order of many concurrent publishes on a topic', async () => {
    const topic = randomTopic()
    const [app, wallet] = [await connect(), await connect()]
    await wallet.call('irn_subscribe', { topic })
    const texts = Array.from({ length: 60 }, (_, index) => `message ${index}`)
    await Promise.all(texts.map((text) => app.publish(topic, text)))
    await expect.poll(() => wallet.messages).toEqual(texts)
  })

  test('answers a publish before it pushes the message', async () => {
    // Two sockets are read in random order, and the default delay is too short for an overloaded machine.
    await restart({ relayDeliveryDelayMs: 250 })
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
  ])(
    'delays a push after a response only for clients that need it: %s',
    async (_, ua, { isDelayed }) => {
      await restart({ relayDeliveryDelayMs: 600 })
      const [live, stored] = [randomTopic(), randomTopic()]
      const app = await connect()
      const [wallet, other] = [await connect({ query: { ua } }), await connect({ query: { ua } })]
      await other.call('irn_subscribe', { topic: live })
      await app.publish(stored, 'stored')
      const startedAt = performance.now()
      await wallet.call('irn_subscribe', { topic: stored })
      await expect.poll(() => wallet.messages, { interval: 5 }).toEqual(['stored'])
      const storedMs = performance.now() - startedAt
      await app.publish(live, 'live')
      await expect.poll(() => other.messages, { interval: 5 }).toEqual(['live'])
      const liveMs = performance.now() - startedAt - storedMs
      expect([storedMs > 590, liveMs > 590]).toEqual([isDelayed, isDelayed])
    },
  )

  test('pushes to both sockets of a client, such as two tabs of a page', async () => {
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

  test('redelivers a push that is in flight on an old socket through a newer socket', async () => {
    const topic = randomTopic()
    const identity = createRelayIdentity()
    const app = await connect()
    const before = await connect({ identity, acknowledges: false })
    await before.call('irn_subscribe', { topic })
    await app.publish(topic, 'one')
    await expect.poll(() => before.messages).toEqual(['one'])
    // The old connection is still open, as it is for a while after a phone changes networks.
    const after = await connect({ identity })
    await after.call('irn_subscribe', { topic })
    await expect.poll(() => after.messages).toEqual(['one'])
  })
})
