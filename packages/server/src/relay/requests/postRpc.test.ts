import { describe, expect, test } from 'vitest'
import { createRelayIdentity, makeRelayToken } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import { useRelays } from '../../testing/useRelays.ts'

const { start } = useRelays()

describe('POST /rpc', () => {
  async function post(relay: { httpUrl: string; url: string }, body: string, token?: string) {
    const auth = token ?? makeRelayToken(createRelayIdentity(), relay.url)
    // Some clients send every query parameter, even without a value.
    return fetch(`${relay.httpUrl}/rpc?auth=&projectId=default`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${auth}` },
    })
  }
  const bodyOf = (method: string, params: unknown, id = '1') =>
    `{"id":${id},"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params)}}`

  test('clients can call the same methods as over a socket, and fetch and acknowledge waiting messages', async () => {
    const relay = await start()
    const topic = randomTopic()
    const app = await relay.connect()
    await app.publish(topic, 'hello', { attestation: 'jwt' })
    const token = makeRelayToken(createRelayIdentity(), relay.url)
    const call = async (method: string, params: unknown) =>
      ((await (await post(relay, bodyOf(method, params), token)).json()) as { result: never })
        .result
    const waiting = {
      messages: [
        { topic, message: 'hello', publishedAt: expect.any(Number), tag: 1108, attestation: 'jwt' },
      ],
      hasMore: false,
    }
    expect(await call('irn_fetchMessages', { topic })).toEqual(waiting)
    expect(await call('irn_batchFetchMessages', { topics: [topic] })).toEqual(waiting)
    const messageId = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
    expect(await call('irn_batchReceive', { receipts: [{ topic, message_id: messageId }] })).toBe(
      true,
    )
    expect(await call('irn_fetchMessages', { topic })).toEqual({ messages: [], hasMore: false })
  })

  test('messages on a topic subscribed over HTTP are delivered on the client’s socket', async () => {
    const relay = await start()
    const topic = randomTopic()
    const identity = createRelayIdentity()
    const client = await relay.connect({ identity })
    await post(relay, bodyOf('irn_subscribe', { topic }), makeRelayToken(identity, relay.url))
    const app = await relay.connect()
    await app.publish(topic, 'hello')
    await expect.poll(() => client.messages).toEqual(['hello'])
  })

  test('error: an invalid token is refused', async () => {
    const relay = await start()
    const response = await post(relay, bodyOf('irn_subscribe', { topic: randomTopic() }), 'x.y.z')
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({
      id: null,
      jsonrpc: '2.0',
      error: {
        code: 3000,
        message: 'Auth error: JWT validation error: JWT Token is not valid',
        data: 'InvalidJwt',
      },
    })
  })

  test('an id is echoed verbatim, and a body that contains only acknowledgements gets an empty response', async () => {
    const relay = await start()
    const body = bodyOf('irn_subscribe', { topic: randomTopic() }, '18446744073709551615')
    expect(await (await post(relay, body)).text()).toMatch(/^{"id":18446744073709551615,/)
    expect((await post(relay, '[{"id":1,"jsonrpc":"2.0","result":true}]')).status).toBe(204)
  })

  test('attack: requests far above the client’s rate limit are refused', async () => {
    const relay = await start()
    const token = makeRelayToken(createRelayIdentity(), relay.url)
    const body = bodyOf('irn_batchUnsubscribe', {
      subscriptions: Array.from({ length: 500 }, () => ({ topic: randomTopic() })),
    })
    // The relay accepts a burst of 5,000 topics, and 10,000 more within the maximum delay of 10 s.
    const refused: Response[] = []
    const flood = Promise.allSettled(
      Array.from({ length: 40 }, async () => {
        const response = await post(relay, body, token)
        if (response.status === 429) refused.push(response)
      }),
    )
    await expect.poll(() => refused.length).toBeGreaterThan(0)
    expect(refused[0]!.headers.get('retry-after')).toBe('10')
    expect(await refused[0]!.json()).toMatchObject({
      error: { code: 3001, data: 'TooManyRequests' },
    })
    expect((await post(relay, body)).status).toBe(200)
    await flood
  })

  test('error: oversized bodies, excess requests and invalid tokens get JSON-RPC errors', async () => {
    const relay = await start({ ipRate: 0.001, ipBurst: 2 })
    const read = async (response: Response) => ({
      status: response.status,
      body: (await response.json()) as unknown,
    })
    const error = (code: number, message: string, data: string) => ({
      id: null,
      jsonrpc: '2.0',
      error: { code, message, data },
    })
    expect(await read(await post(relay, ' '.repeat(4 * 1024 * 1024 + 1)))).toEqual({
      status: 413,
      body: error(
        -32_600,
        'Invalid payload: the body is larger than 4194304 bytes',
        'PayloadSizeExceeded',
      ),
    })
    expect(await read(await post(relay, '{}', 'a.b.c'))).toEqual({
      status: 401,
      body: error(3000, 'Auth error: JWT validation error: JWT Token is not valid', 'InvalidJwt'),
    })
    const limited = await post(relay, '{}')
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await read(limited)).toEqual({
      status: 429,
      body: error(
        3001,
        `Too many requests: try again in ${limited.headers.get('retry-after')} s`,
        'TooManyRequests',
      ),
    })
  })
})
