import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'
import { LoadError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { listen, openRelayer, options, other, startRelay, topic } from '../testing/relayers.ts'
import { createInbox } from './createInbox.ts'

describe('messages', () => {
  test('are delivered once, in order for each topic, and acknowledged', async () => {
    const relay = await startRelay()
    const app = await openRelayer(relay.url)
    const order: string[] = []
    let release = () => {}
    app.relayer.onMessage(async ({ message }) => {
      if (message === '1') await new Promise<void>((resolve) => (release = resolve))
      order.push(message)
    })
    await app.relayer.subscribe(topic)
    await app.relayer.subscribe(other)
    relay.push(1, { topic, message: '1' })
    relay.push(2, { topic, message: '2' })
    relay.push(3, { topic, message: '1' })
    relay.push(4, { topic: other, message: 'aside', attestation: 'jwt' })
    await expect.poll(() => relay.acks.length).toBe(4)
    await expect.poll(() => order).toEqual(['aside'])
    release()
    await expect.poll(() => order).toEqual(['aside', '1', '2'])
    relay.push(5, { topic, message: '2' })
    await expect.poll(() => relay.acks).toContain(5)
    expect(order).toHaveLength(3)
  })

  test('attack: are delivered once, also in another form of base64', async () => {
    const inbox = await createInbox({ store: createMemoryStore(), key: 'k', officialKey: 'o' })
    const delivered: string[] = []
    inbox.listen(async ({ message }) => void delivered.push(message))
    for (const message of ['+/+8AA==', '+/+8AA', '-_-8AA', ' +/+8AA==', '+/+8AB==', 'AAAA'])
      await inbox.add({ topic, message, publishedAt: 0 })
    await expect.poll(() => delivered).toEqual(['+/+8AA==', 'AAAA'])
  })

  test('are acknowledged after they are stored', async () => {
    const memory = createMemoryStore()
    let stored = () => {}
    const store: KeyValueStore = {
      ...memory,
      async setItem(key, value) {
        if (key.endsWith('//inbox')) await new Promise<void>((resolve) => (stored = resolve))
        await memory.setItem(key, value)
      },
    }
    const relay = await startRelay()
    const app = await openRelayer(relay.url, { store })
    listen(app)
    await app.relayer.subscribe(topic)
    const idle = stored
    relay.push(1, { topic, message: 'text' })
    await expect.poll(() => stored).not.toBe(idle)
    await app.relayer.publish(topic, 'round trip', options)
    expect(relay.acks).toEqual([])
    stored()
    await expect.poll(() => relay.acks).toEqual([1])
  })

  test('are acknowledged after their first copy is stored, if they are duplicates', async () => {
    const memory = createMemoryStore()
    let store = () => {}
    const held = new Promise<void>((resolve) => (store = resolve))
    const inbox = await createInbox({
      store: { ...memory, setItem: (...entry) => held.then(() => memory.setItem(...entry)) },
      key: 'inbox',
      officialKey: 'official',
    })
    const added: number[] = []
    const adding = [1, 2].map(async (id) => {
      if (await inbox.add({ topic, message: 'text', publishedAt: 0 })) added.push(id)
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(added).toEqual([])
    store()
    await Promise.all(adding)
    expect(added).toEqual([1, 2])
  })

  test('leave nothing in storage after their topic is removed', async () => {
    const store = createMemoryStore()
    const inbox = await createInbox({ store, key: 'inbox', officialKey: 'official' })
    inbox.listen(async ({ message }) => {
      if (message === 'waits') await new Promise<void>(() => {})
    })
    const read = async () => JSON.parse((await store.getItem('inbox')) ?? '{}') as unknown
    for (const message of ['handled.', 'waits']) await inbox.add({ topic, message, publishedAt: 0 })
    await inbox.add({ topic: other, message: 'handled.', publishedAt: 0 })
    const handled = { [topic]: ['handled.'], [other]: ['handled.'] }
    await expect.poll(read).toMatchObject({ waiting: [{ message: 'waits' }], handled })
    await inbox.clear(topic)
    expect(await read()).toEqual({ waiting: [], handled: { [other]: ['handled.'] } })
    inbox.close()
  })

  test('leave nothing in storage after their topic is unsubscribed', async () => {
    const relay = await startRelay()
    const app = await openRelayer(relay.url)
    listen(app)
    await app.relayer.subscribe(topic)
    relay.push(1, { topic, message: 'text' })
    const read = async () =>
      JSON.parse((await app.store.getItem(storageKeys().core('inbox'))) ?? '{}') as unknown
    await expect.poll(read).toEqual({ waiting: [], handled: { [topic]: ['text'] } })
    await app.relayer.unsubscribe(topic)
    expect(await read()).toEqual({ waiting: [], handled: {} })
  })

  test('are acknowledged with their last id if they are redelivered while they wait', async () => {
    const relay = await startRelay()
    const clock = createManualClock()
    const app = await openRelayer(relay.url, { clock })
    listen(app)
    await app.relayer.subscribe(topic)
    const burst = Array.from({ length: 20 }, (_, index) => index + 1)
    for (const id of burst) relay.push(id, { topic, message: `${id}` })
    relay.push(21, { topic, message: 'waits' })
    relay.push(22, { topic, message: 'waits' })
    await app.relayer.publish(other, 'round trip', options)
    await expect.poll(() => relay.acks).toEqual(burst)
    clock.advance(1_000)
    await expect.poll(() => relay.acks).toEqual([...burst, 22])
  })

  test('attack: are stored only until their topic has 8 MiB of unhandled messages', async () => {
    const store = createMemoryStore()
    const inbox = await createInbox({ store, key: 'inbox', officialKey: 'official' })
    inbox.listen(() => new Promise<void>(() => {}))
    const add = (topic: string, index: number) =>
      inbox.add({
        topic,
        message: `${index}`.padEnd(limits.relayMessageBytes, 'x'),
        publishedAt: 0,
      })
    for (let index = 0; index < 8; index += 1) expect(await add(topic, index)).toBe(true)
    expect(await add(topic, 8)).toBe(false)
    expect(await add(other, 8)).toBe(true)
    inbox.close()
  })

  test('attack: are neither stored nor acknowledged beyond their topic’s limit', async () => {
    const relay = await startRelay()
    const clock = createManualClock()
    const app = await openRelayer(relay.url, { clock })
    app.relayer.onMessage(() => new Promise<void>(() => {}))
    await app.relayer.subscribe(topic)
    await app.relayer.subscribe(other)
    const large = 'x'.repeat(limits.relayMessageBytes - 2)
    for (let id = 10; id < 30; id += 1) relay.push(id, { topic, message: `${id}${large}` })
    relay.push(30, { topic: other, message: 'aside' })
    await expect.poll(() => relay.acks).toEqual([10, 30])
    // The first large message delays the others.
    const acknowledged = Array.from({ length: 8 }, (_, index) => index + 10)
    await expect
      .poll(() => {
        clock.advance(10_000)
        return relay.acks
      })
      .toEqual([10, 30, ...acknowledged.slice(1)])
    clock.advance(60_000)
    await app.relayer.publish(other, 'round trip', options)
    expect(relay.acks).toHaveLength(9)
  })

  test('are delivered again at the next start only if they are unhandled', async () => {
    const relay = await startRelay()
    const first = await openRelayer(relay.url)
    const begun: string[] = []
    first.relayer.onMessage(async ({ message }) => {
      begun.push(message)
      if (message === 'cut off.') await new Promise(() => {})
    })
    await first.relayer.subscribe(topic)
    relay.push(1, { topic, message: 'handled.' })
    relay.push(2, { topic, message: 'cut off.', attestation: 'jwt' })
    relay.push(3, { topic, message: 'behind it.' })
    await expect.poll(() => begun).toEqual(['handled.', 'cut off.'])
    await expect.poll(() => relay.acks.length).toBe(3)
    await first.relayer.close()

    const second = await openRelayer(relay.url, { store: first.store })
    listen(second)
    await expect.poll(() => second.received.length).toBe(2)
    expect(second.received[0]).toEqual({
      topic,
      message: 'cut off.',
      publishedAt: 1,
      attestation: 'jwt',
    })
    expect(second.received[1]?.message).toBe('behind it.')
    await expect.poll(() => second.relayer.status().status).toBe('connected')
    relay.push(4, { topic, message: 'handled.' })
    relay.push(5, { topic, message: 'new.' })
    await expect.poll(() => second.received.length).toBe(3)
    expect(second.received[2]?.message).toBe('new.')
  })

  test('are delivered again at the next start if their handler could not be loaded', async () => {
    const relay = await startRelay()
    const offline = await openRelayer(relay.url)
    const begun: string[] = []
    offline.relayer.onMessage(async ({ message }) => {
      begun.push(message)
      if (message === '1') throw new LoadError()
    })
    await offline.relayer.subscribe(topic)
    relay.push(1, { topic, message: '1' })
    relay.push(2, { topic, message: '2' })
    await expect.poll(() => begun).toEqual(['1', '2'])
    await offline.relayer.close()
    const again = await openRelayer(relay.url, { store: offline.store })
    listen(again)
    await again.relayer.subscribe(other)
    relay.push(3, { topic, message: '3' })
    await expect.poll(() => again.received.map(({ message }) => message)).toEqual(['1', '3'])
  })

  test('do not block the next message if their handler throws', async () => {
    const relay = await startRelay()
    const app = await openRelayer(relay.url)
    const order: string[] = []
    app.relayer.onMessage(async ({ message }) => {
      order.push(message)
      throw new Error('bug')
    })
    await app.relayer.subscribe(topic)
    relay.push(1, { topic, message: '1' })
    relay.push(2, { topic, message: '2' })
    await expect.poll(() => order).toEqual(['1', '2'])
  })

  test.each(['', 'text', '[]', '{"id":1}', '{"id":1,"jsonrpc":"2.0","method":"irn_subscription"}'])(
    'are ignored if they are invalid: %j',
    async (text) => {
      const relay = await startRelay()
      const app = await openRelayer(relay.url)
      await app.relayer.subscribe(topic)
      relay.send(text)
      await app.relayer.publish(topic, 'text', options)
      expect(relay.connections).toHaveLength(1)
    },
  )
})
