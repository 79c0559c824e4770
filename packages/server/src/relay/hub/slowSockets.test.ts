import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'
import { pass, useHub } from '../../testing/useHub.ts'

const { current, attach, connect, publish, metric, deliverySeconds } = useHub()

describe('a slow socket', () => {
  test('gets the waiting messages once its buffer is half empty and has room', async () => {
    const { socket } = await connect(['t', 'u'])
    current.hasRoom = () => false
    publish('t', 'one')
    await pass()
    expect(await metric('dropped_total', { reason: 'slow_reader' })).toBe(1)
    current.hasRoom = () => true
    socket.bufferedAmount = limits.relayBufferBytes / 2 + 1
    publish('t', 'two')
    publish('u', 'other')
    await pass(1_000)
    expect(socket.texts).toEqual([])
    socket.bufferedAmount = limits.relayBufferBytes / 2
    current.hasRoom = () => false
    await pass(1_000)
    expect(socket.texts).toEqual([])
    current.hasRoom = () => true
    await pass(1_000)
    expect(socket.texts).toEqual(['one', 'two', 'other'])
    publish('t', 'three')
    await pass()
    expect(socket.texts).toEqual(['one', 'two', 'other', 'three'])
    expect((await deliverySeconds())[0]).toBe(1)
  })

  test('gets the messages of a read that stopped because there was no room', async () => {
    publish('t', 'one')
    publish('u', 'two')
    current.hasRoom = () => false
    const { socket } = await connect(['t', 'u'])
    current.hasRoom = () => true
    await pass(1_000)
    expect(socket.texts).toEqual(['one', 'two'])
    publish('u', 'three')
    await pass()
    expect(socket.texts).toEqual(['one', 'two', 'three'])
  })

  test('gets no pushes until it has room for the one that did not fit', async () => {
    const { socket } = await connect(['t'])
    let room = 600
    current.hasRoom = (_, size) => size <= room
    publish('t', 'x'.repeat(1_000))
    await pass(2_000)
    expect(socket.texts).toEqual([])
    room = 2_000
    await pass(1_000)
    expect(socket.texts).toHaveLength(1)
  })

  test('is closed after 30 s, once', async () => {
    const { socket } = await connect(['t'])
    current.hasRoom = () => false
    publish('t', 'one')
    await pass(30_000)
    expect(socket.end).toBeUndefined()
    await pass(5_000)
    expect(socket.end).toEqual([1013, 'reads too slowly'])
    expect(await metric('dropped_total', { reason: 'slow_socket' })).toBe(1)
  })

  test('that has closed is no longer checked', async () => {
    const { socket, client } = await connect(['t'])
    current.hasRoom = () => false
    publish('t', 'one')
    await pass()
    current.hub.detach(client, socket)
    await pass(60_000)
    expect(socket.end).toBeUndefined()
  })

  test('that has drained does not resume topics on a newer socket', async () => {
    const { socket: old } = await connect(['t'])
    current.hasRoom = (one) => one !== old
    publish('t', 'one')
    await pass(500)
    const { socket } = attach({ topics: ['t'] })
    current.hasRoom = () => true
    await pass(999)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
  })
})
