import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createListener } from './createListener.ts'
import { slotOf } from './slotOf.ts'

// Uses a double of Redis, because the order of its replies matters here.

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const end of undo.splice(0)) await end()
})

/** Starts a server that replies to the commands of a listener. Confirms a subscription when the test says so. */
async function startDouble() {
  const sockets: Socket[] = []
  const pending: string[] = []
  const removed: string[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const [, name, argument] of text.matchAll(
        /\*\d+\r\n\$\d+\r\n(\w+)\r\n(?:\$\d+\r\n(\S+)\r\n)?/g,
      ))
        if (/^ssubscribe$/i.test(name!)) pending.push(argument!)
        else if (/^sunsubscribe$/i.test(name!)) removed.push(argument!)
        else socket.write(name === 'PING' ? '+PONG\r\n' : '+OK\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`
  const socket = () => sockets.at(-1)!
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Channels whose subscription is not confirmed. */
    pending,
    confirm(channel: string) {
      pending.splice(pending.indexOf(channel), 1)
      socket().write(`>3\r\n${bulk('ssubscribe')}${bulk(channel)}:1\r\n`)
    },
    /** Channels whose unsubscription was requested. */
    removed,
    confirmRemoval: (channel: string) =>
      socket().write(`>3\r\n${bulk('sunsubscribe')}${bulk(channel)}:0\r\n`),
    send: (channel: string, payload: string) =>
      socket().write(`>3\r\n${bulk('smessage')}${bulk(channel)}${bulk(payload)}`),
    cut: () => socket().destroy(),
  }
}

/** Starts a listener with a double. Its payloads and gaps are added to `events`. */
async function startListener() {
  const redis = await startDouble()
  const events: string[] = []
  const listener = createListener({
    url: redis.url,
    onMessage: (_channel, payload) => void events.push(payload.toString()),
    onGap: () => void events.push('gap'),
    onDown: () => {},
  })
  undo.push(() => listener.close())
  await listener.ready
  return { redis, listener, events }
}

test('after a reconnect, no message is passed on before the gap is reported', async () => {
  const { redis, listener, events } = await startListener()
  const [a, b] = ['a', 'b']
  // One command for each slot.
  expect(slotOf(a)).not.toBe(slotOf(b))
  for (const channel of [a, b]) listener.add(channel)
  await expect.poll(() => redis.pending).toEqual([a, b])
  redis.confirm(a)
  redis.send(a, '1')
  redis.confirm(b)
  await expect.poll(() => events).toEqual(['gap', '1'])

  redis.cut()
  await expect.poll(() => redis.pending).toEqual([a, b])
  redis.confirm(a)
  // Message 2 was published while the listener was disconnected.
  redis.send(a, '3')
  redis.confirm(b)
  await expect.poll(() => events.at(-1)).toBe('gap')
  redis.send(a, '4')
  await expect.poll(() => events.at(-1)).toBe('4')
  expect(events).toEqual(['gap', '1', 'gap', '4'])
})

/** Returns the names of channels in different slots. */
function channelsInSlots(count: number): string[] {
  const channels = new Map<number, string>()
  for (let index = 0; channels.size < count; index += 1)
    channels.set(slotOf(`${index}`), `${index}`)
  return [...channels.values()]
}

test('attack: the channel of one sender does not wait for the many channels of another', async () => {
  const { redis, listener } = await startListener()
  const [channel, ...many] = channelsInSlots(601) as [string, ...string[]]
  for (const other of many) listener.add(other, 'attacker')
  await expect.poll(() => redis.pending).toHaveLength(250)
  listener.add(channel, 'client')
  const settled = listener.settle([channel])
  while (redis.pending.length > 0) redis.confirm(redis.pending[0]!)
  await expect.poll(() => redis.pending).toHaveLength(250)
  expect(redis.pending).toContain(channel)
  while (redis.pending.length > 0) redis.confirm(redis.pending[0]!)
  expect(await settled).toBe(true)
  await expect.poll(() => redis.pending).toHaveLength(101)
})

test('waits for the subscription to a channel that is added again while it is unsubscribed', async () => {
  const { redis, listener } = await startListener()
  listener.add('a')
  await expect.poll(() => redis.pending).toEqual(['a'])
  redis.confirm('a')
  expect(await listener.settle(['a'])).toBe(true)
  listener.remove('a')
  await expect.poll(() => redis.removed).toEqual(['a'])
  listener.add('a')
  const settled = listener.settle(['a'])
  redis.confirmRemoval('a')
  await expect.poll(() => redis.pending).toEqual(['a'])
  redis.confirm('a')
  expect(await settled).toBe(true)
})
