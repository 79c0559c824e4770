import { request } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignClient } from '@gatefold/sign'
import { WebSocket as NodeSocket } from 'ws'
import { metadataOf, next, settle } from '../sign/clients.ts'
import { startProduction, whyNoProduction } from './startRelays.ts'

const missing = await whyNoProduction()
let production: Awaited<ReturnType<typeof startProduction>>
beforeAll(async () => {
  if (!missing) production = await startProduction()
})
afterAll(() => production?.stop())

/**
 * Socket options that trust the test's certificate and resolve the certificate's host to this
 * machine.
 */
function socketOptions() {
  return {
    ca: production.ca,
    lookup: ((_host: string, options: { all?: boolean }, found: (...args: unknown[]) => void) =>
      options.all
        ? found(null, [{ address: '127.0.0.1', family: 4 }])
        : found(null, '127.0.0.1', 4)) as never,
  }
}

function open(name: string) {
  const options = socketOptions()
  class Socket extends NodeSocket {
    constructor(url: string) {
      super(url, options)
    }
  }
  return createSignClient({
    relayUrl: production.publicUrl,
    metadata: metadataOf(name),
    WebSocket: Socket as unknown as typeof WebSocket,
  })
}

function get(path: string) {
  const url = new URL(path, production.publicUrl.replace('wss', 'https'))
  return new Promise<number>((resolve, reject) =>
    request(url, socketOptions(), (answer) => resolve(answer.resume().statusCode!))
      .once('error', reject)
      .end(),
  )
}

async function connections() {
  const counts = await Promise.all(
    production.relays.map(async ({ url }) => {
      const body = (await (await fetch(`${url}/health`)).json()) as {
        relay: { connections: number }
      }
      return body.relay.connections
    }),
  )
  return counts
}

describe.skipIf(missing)('docs/relay-production.md, as written', () => {
  test('clients connect through nginx, and no message is lost when the processes are restarted one after the other', async () => {
    const app = open('app')
    const wallet = open('wallet')
    try {
      const { topic } = await settle(app, wallet)
      // nginx chooses the process with the fewest connections, so app and wallet use different
      // processes.
      await expect.poll(connections).toEqual([1, 1])
      wallet.on('session_request', ({ id, params }) => {
        const response = { id, jsonrpc: '2.0' as const, result: params.request.params }
        // A redelivered request may arrive while the wallet is closing.
        wallet.respond({ topic, response }).catch(() => undefined)
      })
      const requestNumber = (number: number) =>
        app.request({
          topic,
          chainId: 'eip155:1',
          request: { method: 'personal_sign', params: [number] },
        })
      expect(await requestNumber(0)).toEqual([0])
      const answers: Promise<unknown>[] = []
      for (const [index, relay] of production.relays.entries()) {
        const offline = next<unknown>((resolve) => {
          const stops = [app, wallet].map((one) =>
            one.on('relay', ({ status }) => status === 'offline' && resolve(status)),
          )
          return () => stops.forEach((stop) => stop())
        })
        const restarted = relay.restart()
        await offline
        for (let number = 1; number <= 5; number += 1)
          answers.push(requestNumber(index * 10 + number))
        await restarted
      }
      expect(await Promise.all(answers)).toEqual(
        [1, 2, 3, 4, 5, 11, 12, 13, 14, 15].map((number) => [number]),
      )
    } finally {
      await Promise.all([app.close(), wallet.close()])
    }
  })

  test('nginx does not expose health and metrics', async () => {
    expect([await get('/health'), await get('/metrics'), await get('/health/live')]).toEqual([
      404, 404, 404,
    ])
    expect((await fetch(`${production.relays[0]!.url}/metrics`)).status).toBe(200)
  })

  test('a token for another relay is refused with the reason', async () => {
    const options = socketOptions()
    class Socket extends NodeSocket {
      constructor(url: string) {
        super(url.replace('elsewhere.example', `relay.example:${production.publicPort}`), options)
      }
    }
    const stranger = createSignClient({
      relayUrl: 'wss://elsewhere.example',
      metadata: metadataOf('stranger'),
      WebSocket: Socket as unknown as typeof WebSocket,
    })
    const refused = next<{ reason?: string }>((resolve) =>
      stranger.on('relay', (state) => state.status === 'refused' && resolve(state)),
    )
    const { approval } = await stranger.connect({ optionalNamespaces: {} })
    approval().catch(() => {})
    expect((await refused).reason).toContain('JWT validation error')
    await stranger.close()
  })
})
