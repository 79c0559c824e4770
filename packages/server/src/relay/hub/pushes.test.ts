import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'
import { delayMs, pass, useHub } from '../../testing/useHub.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'

const { current, attach, connect, subscribe, publish, block, metric, deliverySeconds } = useHub()

describe('a push', () => {
  test('is a request whose id is the `seq` of the message', async () => {
    const { socket } = await connect(['t'])
    const { publishedAt } = publish('t', 'one', { attestation: 'jwt' })
    publish('t', 'two')
    await pass()
    const request = (id: number, data: object) => ({
      id,
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: {
        id: toSubscriptionId({ topic: 't', clientId: 'wallet' }),
        data: { topic: 't', publishedAt, tag: 1108, ...data },
      },
    })
    expect(socket.pushes).toEqual([
      request(1, { message: 'one', attestation: 'jwt' }),
      request(2, { message: 'two' }),
    ])
    expect(await metric('pushed_total')).toBe(2)
  })

  test('is sent in the next turn of the event loop; to official clients, after a delay', async () => {
    const own = await connect(['t'])
    const official = await connect(['t'], { id: 'official', isDelayed: true })
    const app = await connect(['t'], { id: 'app' })
    publish('t', 'one')
    expect(own.socket.texts).toEqual([])
    await pass()
    expect([own.socket.texts, official.socket.texts]).toEqual([['one'], []])
    await pass(delayMs - 1)
    publish('t', 'two')
    expect(official.socket.texts).toEqual([])
    await pass(1)
    expect([own.socket.texts, official.socket.texts]).toEqual([['one', 'two'], ['one']])
    await pass(delayMs)
    expect([own.socket.texts, official.socket.texts, app.socket.texts]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
      [],
    ])
    expect(await deliverySeconds()).toEqual([4, 0.04])
  })

  test('is delayed on all sockets of a client as soon as one of them needs the delay', async () => {
    const { socket } = await connect(['t'])
    const official = await connect(['t'], { isDelayed: true })
    attach()
    await subscribe(official.client, ['t'])
    publish('t', 'one')
    await pass()
    expect(socket.texts).toEqual([])
    await pass(delayMs)
    expect(socket.texts).toEqual(['one'])
  })

  test('is copied to the other sockets that are open and have room', async () => {
    const closing = attach().socket
    const full = attach().socket
    const old = attach().socket
    const { socket } = await connect(['t'])
    closing.readyState = 2
    current.hasRoom = (one) => one !== full
    publish('t', 'one')
    await pass()
    expect([closing, full, old, socket].map(({ texts }) => texts)).toEqual([
      [],
      [],
      ['one'],
      ['one'],
    ])
    expect(await metric('pushed_total')).toBe(1)
  })

  test('waits in the mailbox while the newest socket is closing', async () => {
    const { socket, client } = await connect(['t'])
    socket.readyState = 2
    publish('t', 'one')
    await pass()
    expect(socket.texts).toEqual([])
    expect(await deliverySeconds()).toEqual([0, 0])
    current.hub.detach(client, socket)
    const again = await connect(['t'])
    expect(again.socket.texts).toEqual(['one'])
  })

  test('is sent although the subscriber of another topic disconnects during the delay', async () => {
    const leaving = await connect(['t'], { id: 'leaving', isDelayed: true })
    const { socket } = await connect(['u'], { isDelayed: true })
    const message = publish('t', 'one')
    publish('u', 'two')
    current.hub.detach(leaving.client, leaving.socket)
    current.hub.onMessages([message])
    await pass(delayMs)
    expect([leaving.socket.texts, socket.texts]).toEqual([[], ['two']])
  })

  test('has a delivery time of 0 s if the clock of the process that stored the message is ahead', async () => {
    await connect(['t'])
    publish('t', 'one', { publishedAt: Date.now() + 5_000 })
    await pass()
    expect(await deliverySeconds()).toEqual([1, 0])
  })
})

test('attack: a topic has at most 20 connected subscribers', async () => {
  const clients: Awaited<ReturnType<typeof connect>>[] = []
  for (let index = 0; index < 20; index += 1)
    clients.push(await connect(['t'], { id: `wallet ${index}` }))
  expect([current.hub.isFull('t'), current.hub.isFull('u')]).toEqual([true, false])
  // It subscribed while it was not connected.
  const late = attach({ id: 'late', topics: ['t', 'u'] })
  await pass(1_000)
  publish('t', 'one')
  publish('u', 'two')
  await pass()
  expect(clients.flatMap(({ socket }) => socket.texts)).toEqual(Array(20).fill('one'))
  expect(late.socket.texts).toEqual(['two'])
  current.hub.detach(clients[0]!.client, clients[0]!.socket)
  expect(current.hub.isFull('t')).toBe(false)
  await subscribe(late.client, ['t'])
  expect(late.socket.texts).toEqual(['two', 'one'])
})

describe('a client', () => {
  test('keeps its eight newest sockets', async () => {
    const sockets = Array.from({ length: limits.relayClientSockets }, () => attach().socket)
    sockets[1]!.bufferedAmount = 1
    expect(sockets.map(({ end }) => end)).toEqual(sockets.map(() => undefined))
    sockets.push(attach().socket, attach().socket)
    expect(sockets.map(({ end }) => end)).toEqual([
      [1013, 'too many sockets for this client'],
      'terminated',
      ...Array(limits.relayClientSockets).fill(undefined),
    ])
    expect(await metric('dropped_total', { reason: 'extra_socket' })).toBe(2)
  })

  test('stays connected when one of its earlier, replaced sockets closes late', async () => {
    const { socket: extra, client } = attach()
    const sockets = Array.from({ length: limits.relayClientSockets }, () => attach().socket)
    for (const socket of sockets) current.hub.detach(client, socket)
    expect(current.hub.isConnected('wallet')).toBe(false)
    const { socket, client: again } = await connect(['t'])
    current.hub.detach(client, extra)
    publish('t', 'one')
    await pass()
    expect([current.hub.isConnected('wallet'), socket.texts]).toEqual([true, ['one']])
    expect([...again.topics.keys()]).toEqual(['t'])
  })

  test('that disconnects gets nothing more, and its topics are watched only for other clients', async () => {
    const { socket, client } = await connect(['t', 'u'])
    await connect(['u'], { id: 'other' })
    expect([...current.store.watched]).toEqual(['t', 'u'])
    current.hub.detach(client, socket)
    expect([...current.store.watched]).toEqual(['u'])
    expect([current.hub.isConnected('wallet'), current.hub.topicsOf('wallet')]).toEqual([
      false,
      undefined,
    ])
    publish('u', 'one')
    await pass(60_000)
    expect(socket.texts).toEqual([])
  })
})

describe('after a gap', () => {
  test('every client gets the missed messages', async () => {
    const live = await connect(['t'])
    const open = block('read')
    const reading = await connect(['t'], { id: 'reading' })
    current.store.watched.clear()
    publish('t', 'missed')
    const resuming = attach({ id: 'resuming', topics: ['t'] })
    current.hub.readEverything()
    open()
    await pass()
    const all = [live, reading, resuming].map(({ socket }) => socket.texts)
    expect(all).toEqual([['missed'], ['missed'], ['missed']])
  })

  test('messages whose `seq` is lower than before are pushed', async () => {
    const { socket } = await connect(['t'])
    publish('t', 'before', { seq: 1_000 })
    await pass()
    publish('t', 'repeated', { seq: 1_000 })
    await pass()
    current.hub.readEverything()
    await pass()
    publish('t', 'after', { seq: 5 })
    await pass()
    expect(socket.texts).toEqual(['before', 'after'])
  })
})

test('a closed hub pushes and reads nothing', async () => {
  const { socket, client } = await connect(['t'])
  const official = await connect(['t'], { id: 'official', isDelayed: true })
  publish('t', 'before')
  await pass(delayMs)
  publish('s', 'waiting')
  current.store.failure = new Error('the store is unavailable')
  await subscribe(client, ['s'])
  current.store.failure = undefined
  attach({ id: 'resuming', topics: ['s'] })
  publish('t', 'after')
  current.hub.subscribed('official', ['s'])()
  current.hub.close()
  current.store.reads.length = 0
  await pass(60_000)
  expect([socket.texts, official.socket.texts]).toEqual([['before'], ['before']])
  expect(current.store.reads).toEqual([])
})
