import { describe, expect, test, vi } from 'vitest'
import { addressMemoryBytes } from '../../http/createMemoryBudgets.ts'
import { delayMs, pass, useHub } from '../../testing/useHub.ts'

const { current, attach, connect, subscribe, publish, block, metric } = useHub()

describe('an unacknowledged push', () => {
  test('is repeated every 30 s, three times', async () => {
    const { socket } = await connect(['t'])
    publish('t', 'one')
    await pass()
    for (let count = 1; count <= 4; count += 1) {
      await pass(29_000)
      expect(socket.texts).toHaveLength(count)
      await pass(1_000)
    }
    current.store.reads.length = 0
    await pass(120_000)
    expect(socket.texts).toHaveLength(4)
    expect(await metric('redelivered_total')).toBe(3)
    // The mailbox is no longer read.
    expect(current.store.reads).toEqual([])
    publish('t', 'two')
    await pass(30_000)
    expect(socket.texts.slice(4)).toEqual(['two', 'two'])
  })

  test('that is not overdue does not cause an early read of a newly subscribed topic', async () => {
    publish('u', 'two')
    const { socket, client } = await connect(['t'], { isDelayed: true })
    publish('t', 'one')
    await pass(1_000 - delayMs - 5)
    current.hub.subscribed(client.id, ['u'])()
    await pass(delayMs - 1)
    expect(socket.texts).toEqual(['one'])
    await pass(1)
    expect(socket.texts).toEqual(['one', 'two'])
  })

  test('is the only one that is repeated: acknowledged and recent pushes are not', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'lost')
    publish('t', 'received')
    await pass()
    current.hub.acknowledged(client, 2)
    current.hub.acknowledged(client, 2)
    await pass(20_000)
    publish('t', 'recent')
    await pass(10_000)
    expect(socket.texts).toEqual(['lost', 'received', 'recent', 'lost'])
    expect(await metric('acknowledged_total')).toBe(1)
  })

  test('is not repeated once the message has expired', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one', { expiresAt: Date.now() + 30_000 })
    await pass()
    current.store.reads.length = 0
    await pass(60_000)
    expect(socket.texts).toEqual(['one'])
    expect(current.store.reads).toEqual([])
    expect(client.inFlight.size).toBe(0)
  })

  test('is not repeated on a new socket until delivery on its topic resumes there', async () => {
    await connect(['t'])
    publish('t', 'one')
    await pass(30_000 - 1)
    const { socket } = attach({ topics: ['t'] })
    await pass(999)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
    // The number of repeats on the new socket starts at zero.
    await pass(29_000)
    expect(socket.texts).toHaveLength(1)
    await pass(90_000)
    expect(socket.texts).toHaveLength(4)
  })

  test('is not repeated for a topic that was unsubscribed', async () => {
    const { socket, client } = await connect(['t', 'u'])
    current.hub.unsubscribed('wallet', ['u'])
    publish('t', 'one')
    await pass()
    current.hub.unsubscribed('wallet', ['t', 'unknown'])
    await pass(40_000)
    expect(socket.texts).toEqual(['one'])
    expect(current.store.watched.size).toBe(0)
    publish('u', 'two')
    await subscribe(client, ['u'])
    publish('u', 'three')
    await pass()
    expect(socket.texts).toEqual(['one', 'two', 'three'])
  })

  test('that was repeated three times is pushed again after a new subscribe to its topic', async () => {
    const { socket, client } = await connect(['t', 'u'])
    publish('t', 'one')
    publish('u', 'two')
    await pass(150_000)
    expect(socket.texts).toHaveLength(8)
    await subscribe(client, ['t'])
    await subscribe(client, ['t'])
    expect(socket.texts.slice(8)).toEqual(['one'])
  })

  test('that was repeated three times is pushed again together with the others of its topic', async () => {
    const { socket, client } = await connect(['t'])
    for (const text of ['one', 'two', 'three']) publish('t', text)
    await pass(150_000)
    expect(socket.texts).toHaveLength(12)
    current.hub.acknowledged(client, 1)
    await pass()
    await subscribe(client, ['t'])
    expect(socket.texts.slice(12)).toEqual(['two', 'three'])
  })

  test('that was repeated three times and then acknowledged causes no read after a new subscribe', async () => {
    const { client } = await connect(['t'])
    publish('t', 'one')
    await pass(150_000)
    current.hub.acknowledged(client, 1)
    await pass()
    current.store.reads.length = 0
    await subscribe(client, ['t'])
    expect(current.store.reads).toEqual([])
  })

  test('that was repeated three times is pushed again after its topic was unsubscribed and subscribed', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass(91_000)
    expect(socket.texts).toEqual(Array(4).fill('one'))
    current.hub.unsubscribed(client.id, ['t'])
    await subscribe(client, ['t'])
    expect(socket.texts).toEqual(Array(5).fill('one'))
    await pass(29_000)
    await subscribe(client, ['t'])
    expect(socket.texts).toEqual(Array(5).fill('one'))
  })

  test('error: is repeated if the acknowledgement could not be stored', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    current.store.failure = new Error('the store is unavailable')
    current.hub.acknowledged(client, 1)
    await pass()
    expect(current.errors).toEqual([current.store.failure])
    current.store.failure = undefined
    await pass(30_000)
    expect(socket.texts).toEqual(['one', 'one'])
    current.hub.acknowledged(client, 1)
    await pass(60_000)
    expect(socket.texts).toHaveLength(2)
  })

  test('is repeated on the remaining socket when the newest one closes', async () => {
    const older = attach()
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    current.hub.detach(client, socket)
    await pass()
    expect([older.socket.texts, current.hub.isConnected('wallet')]).toEqual([['one', 'one'], true])
  })

  test('is not repeated while its acknowledgement is being stored', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    const open = block('acknowledge')
    current.hub.acknowledged(client, 1)
    const again = await connect(['t'])
    await pass(40_000)
    expect([socket.texts, again.socket.texts]).toEqual([['one'], []])
    open()
    await pass()
    expect(client.inFlight.size).toBe(0)
  })

  test('can be acknowledged just before its client disconnects', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    const open = block('acknowledge')
    current.hub.acknowledged(client, 1)
    current.hub.detach(client, socket)
    open()
    await pass()
    const again = await connect(['t'])
    await pass(40_000)
    expect([socket.texts, again.socket.texts]).toEqual([['one'], []])
  })

  test('is not repeated if it is acknowledged during a read that returns the message', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    const open = block('read')
    current.hub.unsubscribed(client.id, ['t'])
    await subscribe(client, ['t'])
    expect(current.store.reads.at(-1)).toEqual(['t'])
    current.hub.acknowledged(client, 1)
    await pass()
    open()
    await pass()
    expect(socket.texts).toEqual(['one'])
    expect(client.inFlight.size).toBe(0)
  })

  test('is not repeated when an older socket closes', async () => {
    const older = attach()
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    current.hub.detach(client, older.socket)
    publish('t', 'two')
    await pass(10_000)
    expect([socket.texts, older.socket.texts]).toEqual([['one', 'two'], ['one']])
  })
})

describe('unacknowledged pushes', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

  test('attack: more than 16 of a client count towards the memory budget of its address', async () => {
    const free = 10 * 450
    current.memory.add('192.0.2.1', addressMemoryBytes - free)
    const { socket, client } = await connect(['t'])
    for (const text of texts(30)) publish('t', text)
    await pass(2_000)
    expect(socket.texts).toEqual(texts(26))
    expect(current.memory.hasRoom('192.0.2.1', 450)).toBe(false)
    const other = await connect(['u'], { id: 'other' })
    for (const text of texts(17)) publish('u', text)
    const elsewhere = await connect(['u'], { id: 'elsewhere', address: '192.0.2.2' })
    await pass()
    expect([other.socket.texts.length, elsewhere.socket.texts.length]).toEqual([16, 17])
    for (const { id } of socket.pushes.slice(0, 4)) current.hub.acknowledged(client, id)
    await pass(1_000)
    expect(socket.texts).toEqual(texts(30))
    current.hub.detach(client, socket)
    expect(current.memory.hasRoom('192.0.2.1', free)).toBe(true)
    expect(current.memory.hasRoom('192.0.2.1', free + 1)).toBe(false)
  })

  test('attack: are not searched, and their topic is not read, when the client subscribes again', async () => {
    const { socket, client } = await connect(['t', 'u'])
    for (const text of texts(16)) publish('t', text)
    await pass()
    const reads = current.store.reads.length
    const searches = [Symbol.iterator, 'keys', 'values', 'entries', 'forEach'].map((method) =>
      vi.spyOn(client.inFlight, method as 'entries'),
    )
    await subscribe(client, ['t', 'u'])
    expect(current.store.reads).toHaveLength(reads)
    for (const search of searches) expect(search).not.toHaveBeenCalled()
    expect(socket.texts).toEqual(texts(16))
  })
})
