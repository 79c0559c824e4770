import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createListener, type Listener } from './createListener.ts'
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
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const [, name, argument] of text.matchAll(
        /\*\d+\r\n\$\d+\r\n(\w+)\r\n(?:\$\d+\r\n(\S+)\r\n)?/g,
      ))
        if (/^ssubscribe$/i.test(name!)) pending.push(argument!)
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
    send: (channel: string, payload: string) =>
      socket().write(`>3\r\n${bulk('smessage')}${bulk(channel)}${bulk(payload)}`),
    cut: () => socket().destroy(),
  }
}

test('after a reconnect, no message is passed on before the gap is reported', async () => {
  const redis = await startDouble()
  const events: string[] = []
  const listener: Listener = createListener({
    url: redis.url,
    onMessage: (_channel, payload) => void events.push(payload.toString()),
    onGap: () => void events.push('gap'),
    onDown: () => {},
  })
  undo.push(() => listener.close())
  const [a, b] = ['a', 'b']
  // One command for each slot.
  expect(slotOf(a)).not.toBe(slotOf(b))
  await listener.ready
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
