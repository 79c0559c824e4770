import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { addressMemoryBytes, createMemoryBudgets } from './createMemoryBudgets.ts'
import { limitMemory, type Fetch } from './limitMemory.ts'

const size = addressMemoryBytes / 4

/** Starts a server, by default with large responses. `send` opens a connection and sends a request. */
async function startServer(fetch: Fetch = () => new Response('x'.repeat(size))) {
  const memory = createMemoryBudgets()
  const server = createAdaptorServer({
    fetch: limitMemory({ config: { trustedProxies: 1 }, memory }, fetch),
  }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  async function send(address: string, head = '') {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${head}\r\n`)
    return socket
  }
  return { memory, send }
}

/** Reads a whole response. @returns the number of bytes, or -1 if it was cut off. */
function read(socket: Socket) {
  return new Promise<number>((resolve) => {
    let bytes = 0
    socket.on('close', () => resolve(-1))
    socket.on('data', (data) => {
      bytes += data.length
      if (bytes >= size) resolve(bytes)
    })
  })
}

test('attack: unread responses above the budget of their address are cut off', async () => {
  const { memory, send } = await startServer()
  const unread: Socket[] = []
  for (let index = 0; index < 8; index += 1) {
    const socket = await send('192.0.2.1')
    unread.push(socket)
    await once(socket, 'readable')
  }
  expect(memory.hasRoom('192.0.2.1', size)).toBe(false)
  expect(await read(await send('192.0.2.2'))).toBeGreaterThan(size)
  const bytes = await Promise.all(unread.map(read))
  expect(bytes.filter((count) => count === -1).length).toBeGreaterThanOrEqual(4)
  expect(bytes.filter((count) => count >= size).length).toBeGreaterThanOrEqual(2)
  for (const socket of unread) socket.destroy()
  await expect.poll(() => memory.hasRoom('192.0.2.1', addressMemoryBytes)).toBe(true)
})

test.each([`Content-Length: ${addressMemoryBytes + 1}\r\n`, 'Transfer-Encoding: chunked\r\n'])(
  'attack: a body that does not fit into the budget is refused (%j)',
  async (head) => {
    const { memory, send } = await startServer()
    memory.add('192.0.2.1', addressMemoryBytes - 1_000)
    const socket = await send('192.0.2.1', head)
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 429')
  },
)

test('attack: a body counts until its request is handled, even if the client disconnects', async () => {
  const [isHandled, response] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
  const { memory, send } = await startServer(() => {
    isHandled.resolve()
    return response.promise
  })
  const socket = await send('192.0.2.1', `Content-Length: ${size}\r\n`)
  await isHandled.promise
  socket.destroy()
  // A request that arrives later is handled once the server has noticed the disconnection.
  const other = await send('192.0.2.2', `Content-Length: ${addressMemoryBytes + 1}\r\n`)
  await once(other, 'data')
  await expect.poll(() => memory.hasRoom('192.0.2.2', addressMemoryBytes)).toBe(true)
  expect(memory.hasRoom('192.0.2.1', addressMemoryBytes)).toBe(false)
  response.resolve(new Response())
  await expect.poll(() => memory.hasRoom('192.0.2.1', addressMemoryBytes)).toBe(true)
})

test('attack: a request whose client has disconnected reserves no memory', async () => {
  const memory = createMemoryBudgets()
  const fetch = limitMemory({ config: { trustedProxies: 0 }, memory }, () => new Response())
  const outgoing = Object.assign(new EventEmitter(), { destroyed: true })
  const incoming = {
    headers: { 'content-length': `${size}` },
    socket: { remoteAddress: '192.0.2.1' },
  }
  await fetch(new Request('http://localhost/'), { incoming, outgoing } as unknown as HttpBindings)
  expect(memory.hasRoom('192.0.2.1', addressMemoryBytes)).toBe(true)
})
