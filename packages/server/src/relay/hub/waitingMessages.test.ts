import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'
import { delayMs, pass, useHub } from '../../testing/useHub.ts'

const { current, attach, connect, subscribe, publish, block } = useHub()

describe('waiting messages', () => {
  test('are pushed after the response to a subscribe; to official clients, after a delay', async () => {
    publish('t', 'one')
    const own = attach()
    const official = attach({ id: 'official', isDelayed: true })
    for (const { client } of [own, official]) current.hub.subscribed(client.id, ['t'])()
    await pass()
    expect([own.socket.texts, official.socket.texts]).toEqual([['one'], []])
    await pass(delayMs)
    expect([own.socket.texts, official.socket.texts]).toEqual([['one'], ['one']])
    expect(current.hub.subscribed('unknown', ['t'])()).toBeUndefined()
  })

  test('of stored subscriptions are pushed 1 s after the newest socket has opened', async () => {
    publish('t', 'one')
    const first = attach({ topics: ['t'] })
    publish('t', 'two')
    await pass(600)
    const second = attach({ topics: ['t'] })
    await pass(999)
    expect([first.socket.texts, second.socket.texts]).toEqual([[], []])
    await pass(1)
    expect([first.socket.texts, second.socket.texts]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ])
  })

  test('are pushed in pages, and messages stored during the read follow in order', async () => {
    const texts = Array.from({ length: 250 }, (_, index) => `${index}`)
    for (const text of texts.slice(0, 249)) publish('t', text)
    const open = block('read')
    const { socket } = await connect(['t'])
    publish('t', '249')
    await pass()
    open()
    await pass()
    expect(socket.texts).toEqual(texts)
    publish('t', 'later')
    await pass()
    expect(socket.texts.slice(250)).toEqual(['later'])
  })

  test('that are stored during the read of the last page follow it', async () => {
    publish('t', 'one')
    const open = block('read')
    const { socket } = await connect(['t'])
    publish('t', 'two')
    await pass()
    open()
    await pass()
    expect(socket.texts).toEqual(['one', 'two'])
  })

  test('of many topics are read in batches', async () => {
    const topics = Array.from({ length: limits.relayBatchSize + 1 }, (_, index) => `${index}`)
    for (const topic of topics) publish(topic, topic)
    const { socket } = await connect(topics)
    expect(socket.texts).toEqual(topics)
    expect(Math.max(...current.store.reads.map(({ length }) => length))).toBe(limits.relayBatchSize)
  })

  test('error: are read again 1 s after a failed read', async () => {
    publish('t', 'one')
    current.store.failure = new Error('the store is unavailable')
    const { socket } = await connect(['t'])
    expect(current.errors).toEqual([current.store.failure])
    current.store.failure = undefined
    await pass(999)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
  })

  test('error: are not read again after a failed read once the client has disconnected', async () => {
    current.store.failure = new Error('the store is unavailable')
    const { socket, client } = attach()
    current.hub.subscribed('wallet', ['t'])()
    current.hub.detach(client, socket)
    await pass(5_000)
    expect([current.errors.length, current.store.reads.length]).toEqual([1, 1])
  })

  test.each(['succeeds', 'fails'])(
    'go to a new socket if the client reconnects during a read that %s',
    async (outcome) => {
      publish('t', 'one')
      const open = block('read')
      if (outcome === 'fails') current.store.failure = new Error('the store is unavailable')
      const { socket } = await connect(['t'])
      const again = attach({ topics: ['t'] })
      open()
      await pass()
      current.store.failure = undefined
      expect([socket.texts, again.socket.texts]).toEqual([[], []])
      // The new socket has not subscribed to the topic yet.
      publish('t', 'two')
      await pass(999)
      expect(again.socket.texts).toEqual([])
      await pass(1)
      expect(again.socket.texts).toEqual(['one', 'two'])
    },
  )

  test('are not pushed for a topic that was unsubscribed during the read', async () => {
    publish('t', 'one')
    publish('u', 'two')
    const open = block('read')
    const { socket } = await connect(['t', 'u'])
    current.hub.unsubscribed('wallet', ['t'])
    current.hub.unsubscribed('unknown', ['u'])
    open()
    await pass()
    publish('u', 'three')
    await pass()
    expect(socket.texts).toEqual(['two', 'three'])
    expect(current.errors).toEqual([])
  })

  test('are pushed in order for a topic that was unsubscribed and subscribed during the read', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `${index}`)
    for (const text of texts) publish('t', text)
    const openFirst = block('read')
    const { socket, client } = await connect(['t'])
    current.hub.unsubscribed('wallet', ['t'])
    const openSecond = block('read')
    openFirst()
    await pass()
    await subscribe(client, ['t'])
    openSecond()
    await pass()
    expect(socket.texts).toEqual(texts)
  })

  test('of a client are read by one read at a time, and only once if the client subscribes twice', async () => {
    const open = block('read')
    const { client } = await connect(['t'])
    await subscribe(client, ['t', 'u'])
    expect(current.store.reads).toEqual([['t']])
    open()
    await pass()
    expect(current.store.reads).toEqual([['t'], ['u']])
  })

  test('of stored subscriptions are not pushed earlier because an older socket closes', async () => {
    publish('t', 'one')
    const old = attach()
    const { socket, client } = attach({ topics: ['t'] })
    await pass(500)
    current.hub.detach(client, old.socket)
    await pass(499)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
  })
})

test('attack: the pages of a mailbox are read and pushed in turns of the address of the client', async () => {
  const turns: string[] = []
  const gates: (() => void)[] = []
  current.nextTurn = (address) => {
    turns.push(address)
    return new Promise((resolve) => gates.push(resolve))
  }
  const address = '192.0.2.7'
  current.store.isLongRead = true
  publish('t', 'one')
  const { socket } = await connect(['t'], { address })
  expect([turns, current.store.reads]).toEqual([[address], []])
  gates.shift()!()
  await pass()
  expect([turns, current.store.reads]).toEqual([[address, address], [['t']]])
  gates.shift()!()
  await pass()
  expect([turns, socket.texts]).toEqual([[address, address, address], []])
  gates.shift()!()
  await pass()
  expect(socket.texts).toEqual(['one'])
})

test('an empty page needs no turn to be pushed', async () => {
  const turns: string[] = []
  current.nextTurn = async (address) => void turns.push(address)
  await connect(['t'], { address: '192.0.2.7' })
  expect(turns).toEqual(['192.0.2.7'])
})
