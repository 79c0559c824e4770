import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as iteration } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

const host = '127.0.0.1'

async function start(port = 0, morePorts = 0) {
  const server = createServer((_, response) => response.end('ok'))
  const listening = await listen(server, { host, port, morePorts })
  onTestFinished(async () => {
    server.closeAllConnections()
    await listening.close()
  })
  return { server, ...listening }
}

function open(port: number, count: number) {
  const sockets = Array.from({ length: count }, () => connect(port, host).on('error', () => {}))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  return sockets
}

async function countIterations(server: Server, connections: number) {
  const accepted: unknown[] = []
  server.on('connection', (socket) => accepted.push(socket))
  let iterations = 0
  while (accepted.length < connections) {
    await iteration()
    iterations += 1
  }
  return iterations
}

test.runIf(process.platform === 'linux')(
  'attack: many connections at once are accepted in few iterations of the event loop',
  async () => {
    const { server, port } = await start()
    open(port, 320)
    expect(await countIterations(server, 320)).toBeLessThan(160)
  },
)

test('every acceptor passes its connections to the server', async () => {
  const { port } = await start()
  const texts = Array.from({ length: 200 }, async () =>
    (await fetch(`http://${host}:${port}`)).text(),
  )
  expect(new Set(await Promise.all(texts))).toEqual(new Set(['ok']))
})

test('a taken port is refused, also if it is taken by the same kind of server', async () => {
  const { port } = await start()
  await expect(start(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect((await start(port, 20)).port).toBeGreaterThan(port)
})

test('a closed server accepts no connection, and waits for the open ones', async () => {
  const { server, port, close } = await start()
  const sockets = open(port, 100)
  await countIterations(server, 100)
  let isClosed = false
  const closed = close().then(() => (isClosed = true))
  const errors = await Promise.all(open(port, 100).map((socket) => once(socket, 'error')))
  expect(new Set(errors.map(([error]) => error.code))).toEqual(new Set(['ECONNREFUSED']))
  expect(isClosed).toBe(false)
  for (const socket of sockets) socket.destroy()
  await closed
})
