import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import { granted, propose, requestOf, settle, signing, useClients } from './clients.ts'

const relay = useClients()

test('§3.19.6 publish metadata contains methods, chain, transaction hashes and contracts', async () => {
  const seen: unknown[] = []
  class Recording extends WebSocket {
    override send(data: string) {
      const { params } = JSON.parse(data) as { params?: Record<string, unknown> }
      const { correlationId, rpcMethods, chainId, txHashes, contractAddresses } = params ?? {}
      if (rpcMethods) seen.push({ correlationId, rpcMethods, chainId, txHashes, contractAddresses })
      super.send(data)
    }
  }
  const app = relay.create('app', { WebSocket: Recording })
  const wallet = relay.create('wallet', { WebSocket: Recording })
  const { topic } = await settle(app, wallet)
  const request = requestOf(wallet)
  const call = { from: '0x1', to: '0xc0ffee', data: '0xa9059cbb' }
  const answer = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'eth_sendTransaction', params: [call] },
  })
  const { id } = await request
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xhash' } })
  await answer
  const common = {
    correlationId: id,
    rpcMethods: ['eth_sendTransaction'],
    chainId: 'eip155:1',
    contractAddresses: ['0xc0ffee'],
  }
  expect(seen).toEqual([
    { ...common, txHashes: [] },
    { ...common, txHashes: ['0xhash'] },
  ])
})

test.each<[string, unknown, object]>([
  [
    'an Error',
    new Error('The device is locked.'),
    { code: -32_000, message: 'The device is locked.' },
  ],
  ['a code that is a string', { code: '4001', message: 'No.' }, { code: 4001, message: 'No.' }],
])('an error response with %s reaches the app', async (_what, error, reason) => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { topic } = await settle(app, wallet)
  const shown = requestOf(wallet)
  const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
  const { id } = await shown
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', error: error as never } })
  await expect(answer).rejects.toMatchObject({ reason })
})

test('a fractional expiry is rounded down', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { topic } = await settle(app, wallet)
  const shown = requestOf(wallet)
  const request = { topic, chainId: 'eip155:1', request: signing }
  const answer = app.request({ ...request, expiry: 300.5 })
  const { id, params } = await shown
  expect(params).toMatchObject({ request: { expiryTimestamp: expect.toSatisfy(Number.isInteger) } })
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0x' } })
  expect(await answer).toBe('0x')
})

test('of two concurrent responses only the first is sent', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { id, approval } = await propose(app, wallet)
  const late = { code: 'sign.recently_deleted' }
  const reason = { code: 5000, message: 'User rejected.' }
  const approving = wallet.approve({ id, namespaces: granted })
  await expect(wallet.approve({ id, namespaces: granted })).rejects.toMatchObject(late)
  await expect(wallet.reject({ id, reason })).rejects.toMatchObject(late)
  const { topic } = await approving
  expect((await approval()).topic).toBe(topic)
  expect(wallet.sessions().map((session) => session.topic)).toEqual([topic])

  const request = requestOf(wallet)
  const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
  const response = { id: (await request).id, jsonrpc: '2.0' } as const
  const responding = wallet.respond({ topic, response: { ...response, result: '0xsigned' } })
  const second = wallet.respond({ topic, response: { ...response, error: reason } })
  await expect(second).rejects.toMatchObject(late)
  await responding
  expect(await answer).toBe('0xsigned')
})

describe('the session request queue', () => {
  test('§4.18.5/1 §4.18.5/3 emits one request at a time, and the next one after the response', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet')
    const { topic } = await settle(app, wallet)
    const shown: number[] = []
    wallet.on('session_request', ({ id }) => shown.push(id))
    const answers = ['a', 'b'].map((text) =>
      app.request({
        topic,
        chainId: 'eip155:1',
        request: { method: 'personal_sign', params: [text] },
      }),
    )
    await expect.poll(() => wallet.pendingRequests()).toHaveLength(2)
    expect(shown).toHaveLength(1)
    const respond = (id = 0) =>
      wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: id } })
    await respond(shown[0])
    await expect.poll(() => shown).toHaveLength(2)
    await respond(shown[1])
    expect(new Set(await Promise.all(answers))).toEqual(new Set(shown))
    await expect(respond(shown[1])).rejects.toThrow(
      `Missing or invalid. Record was recently deleted - request: ${shown[1]}`,
    )
  })

  test('§4.18.5/2 emits all requests at once with `disableRequestQueue`', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet', { disableRequestQueue: true })
    const { topic } = await settle(app, wallet)
    const shown: number[] = []
    wallet.on('session_request', ({ id }) => shown.push(id))
    for (const text of ['a', 'b'])
      void app
        .request({
          topic,
          chainId: 'eip155:1',
          request: { method: 'personal_sign', params: [text] },
        })
        .catch(() => undefined)
    await expect.poll(() => shown).toHaveLength(2)
  })
})

test('requests that are created in the same millisecond have unique ids', async () => {
  const clock = createManualClock()
  const app = relay.create('app', { clock })
  const wallet = relay.create('wallet', { disableRequestQueue: true })
  const { topic } = await settle(app, wallet)
  wallet.on('session_request', ({ id, params }) => {
    const response = { id, jsonrpc: '2.0', result: params.request.params } as const
    void wallet.respond({ topic, response })
  })
  // Makes the ids' random digits equal, as in one of a thousand pairs.
  const random = crypto.getRandomValues.bind(crypto)
  const same = vi.spyOn(crypto, 'getRandomValues')
  same.mockImplementation((array) => (array instanceof Uint16Array ? array : random(array)))
  onTestFinished(() => same.mockRestore())
  const requested = [['first'], ['second'], ['third']]
  const answers = requested.map((params) =>
    app.request({ topic, chainId: 'eip155:1', request: { method: 'personal_sign', params } }),
  )
  expect(await Promise.all(answers)).toEqual(requested)
})
