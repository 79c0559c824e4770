import { describe, expect, test } from 'vitest'
import { createKeychain } from '../../packages/sign/src/crypto/createKeychain.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { systemClock } from '../../packages/sign/src/systemClock.ts'
import {
  account,
  granted,
  next,
  proposalOf,
  propose,
  requestOf,
  settle,
  signing,
  useClients,
} from './clients.ts'

const relay = useClients()

describe('reloading and resuming', () => {
  test('a wallet gets its pending requests again, and the app gets the responses', async () => {
    const storage = createMemoryStore()
    const app = relay.create('app')
    const before = relay.create('wallet', { storage })
    const { topic } = await settle(app, before)
    const shown = requestOf(before)
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    await shown
    const { approval } = await propose(app, before)
    await before.close()

    const wallet = relay.create('wallet', { storage })
    const again = await Promise.all([requestOf(wallet), proposalOf(wallet)])
    expect(wallet.sessions()).toHaveLength(1)
    const [request, proposal] = again
    await wallet.respond({
      topic,
      response: {
        id: request.id,
        jsonrpc: '2.0',
        error: { code: 5000, message: 'User rejected.' },
      },
    })
    await expect(answer).rejects.toMatchObject({ reason: { code: 5000 } })
    await wallet.approve({ id: proposal.id, namespaces: granted })
    expect((await approval()).namespaces).toEqual(granted)
  })

  test('an app resumes a request and gets the response once', async () => {
    const storage = createMemoryStore()
    const before = relay.create('app', { storage })
    const wallet = relay.create('wallet')
    const { topic } = await settle(before, wallet)
    const requests: number[] = []
    wallet.on('session_request', ({ id }) => requests.push(id))
    const lost = before.request({ topic, chainId: 'eip155:1', request: signing })
    await expect.poll(() => requests).toHaveLength(1)
    await before.close()
    await expect(lost).rejects.toThrow('Not initialized.')
    const id = requests[0] ?? 0
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })

    const app = relay.create('app', { storage })
    await app.ready()
    expect(app.pendingOutgoing()).toMatchObject([
      { id, topic, chainId: 'eip155:1', request: signing },
    ])
    expect(await app.resume({ id })).toBe('0xsigned')
    await expect.poll(() => app.pendingOutgoing()).toEqual([])
    await expect(app.resume({ id })).rejects.toThrow('No matching key.')
  })

  test('a request that the relay has not stored is sent once, when the app resumes it', async () => {
    class Losing extends WebSocket {
      override send(data: string) {
        if (!data.includes('"tag":1108,')) super.send(data)
      }
    }
    const storage = createMemoryStore()
    const app = relay.create('app', { storage, WebSocket: Losing })
    const wallet = relay.create('wallet', { disableRequestQueue: true })
    const { topic } = await settle(app, wallet)
    const emitted: number[] = []
    wallet.on('session_request', ({ id }) => {
      emitted.push(id)
      void wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
    })
    const lost = app.request({ topic, chainId: 'eip155:1', request: signing })
    await expect.poll(() => app.pendingOutgoing()).toHaveLength(1)
    await app.close()
    await expect(lost).rejects.toMatchObject({ code: 'sign.not_initialized' })

    const again = relay.create('app', { storage })
    await again.ready()
    const answers = again
      .pendingOutgoing()
      .flatMap(({ id }) => [again.resume({ id }), again.resume({ id })])
    expect(await Promise.all(answers)).toEqual(['0xsigned', '0xsigned'])
    expect(emitted).toHaveLength(1)
  })

  test('a response resolves both the request and a concurrent `resume`', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet')
    const { topic } = await settle(app, wallet)
    const request = requestOf(wallet)
    const first = app.request({ topic, chainId: 'eip155:1', request: signing })
    const { id } = await request
    const abort = new AbortController()
    const given = app.resume({ id, signal: abort.signal })
    const second = app.resume({ id })
    abort.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
    expect(await Promise.all([first, second])).toEqual(['0xsigned', '0xsigned'])
    await expect.poll(() => app.pendingOutgoing()).toEqual([])
  })

  test('an app that was connecting gets its session', async () => {
    const storage = createMemoryStore()
    const before = relay.create('app', { storage })
    const wallet = relay.create('wallet')
    const { id } = await propose(before, wallet)
    await before.close()
    const { topic, acknowledged } = await wallet.approve({ id, namespaces: granted })
    const app = relay.create('app', { storage })
    expect(await next((listener) => app.on('session_connect', listener))).toMatchObject({
      session: { topic },
    })
    await acknowledged()
  })

  /** A socket class that does not send messages that contain a text, such as a tag or method. */
  const createLossySocket = (what: string) =>
    class extends WebSocket {
      override send(data: string) {
        if (!data.includes(what)) super.send(data)
      }
    }

  test('a delete that the relay has not stored is sent by the next page', async () => {
    const storage = createMemoryStore()
    const before = relay.create('app', { storage, WebSocket: createLossySocket('"tag":1112,') })
    const wallet = relay.create('wallet')
    const { topic } = await settle(before, wallet)
    const ended = next<object>((listener) => wallet.on('session_delete', listener))
    before.disconnect({ topic }).catch(() => undefined)
    await expect.poll(() => before.sessions()).toEqual([])
    await before.close()
    const app = relay.create('app', { storage })
    await app.ready()
    expect(await ended).toMatchObject({ topic, reason: { code: 6000 } })
    expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
    const history = 'wc@2:core:0.3//history'
    await expect.poll(async () => await storage.getItem(history)).not.toContain('wc_sessionDelete')
  })

  test('an update that the relay has not stored is sent by the next page', async () => {
    const storage = createMemoryStore()
    const app = relay.create('app')
    const before = relay.create('wallet', { storage, WebSocket: createLossySocket('"tag":1104,') })
    const { topic } = await settle(app, before)
    const other = 'eip155:1:0x1111111111111111111111111111111111111111'
    const namespaces = { eip155: { ...granted.eip155, accounts: [other] } }
    before.update({ topic, namespaces }).catch(() => undefined)
    await expect.poll(() => before.sessions()[0]?.namespaces).toEqual(namespaces)
    await before.close()
    const wallet = relay.create('wallet', { storage })
    await wallet.ready()
    await expect.poll(() => app.sessions()[0]?.namespaces).toEqual(namespaces)
    expect(wallet.sessions()[0]?.namespaces).toEqual(namespaces)
  })

  test('an approval that the relay has not stored is sent by the next page and creates one session', async () => {
    const storage = createMemoryStore()
    const app = relay.create('app')
    const before = relay.create('wallet', {
      storage,
      WebSocket: createLossySocket('"wc_approveSession"'),
    })
    const { id, approval } = await propose(app, before)
    before.approve({ id, namespaces: granted }).catch(() => undefined)
    const history = async () => (await storage.getItem('wc@2:core:0.3//history')) ?? ''
    await expect.poll(history).toContain('wc_sessionSettle')
    await before.close()
    const wallet = relay.create('wallet', { storage })
    const emitted: unknown[] = []
    wallet.on('session_proposal', (event) => emitted.push(event))
    await wallet.ready()
    const { topic } = await approval()
    await expect
      .poll(() => wallet.sessions().map((it) => [it.topic, it.acknowledged]))
      .toEqual([[topic, true]])
    expect([emitted, wallet.proposals()]).toEqual([[], []])
  })

  test.each([
    ['acknowledgement', [true]],
    ['rejection', []],
  ])(
    'a wallet handles an app’s %s that was sent while the wallet was closed',
    async (answer, expected) => {
      const storage = createMemoryStore()
      let sendResponses = () => {}
      const isClosed = new Promise<void>((resolve) => (sendResponses = resolve))
      class DelayingSocket extends WebSocket {
        override send(data: string) {
          if (!data.includes('"tag":1103,')) super.send(data)
          else void isClosed.then(() => super.send(data))
        }
      }
      const app = relay.create('app', { WebSocket: DelayingSocket })
      const before = relay.create('wallet', { storage })
      const abort = new AbortController()
      const { id, approval } = await propose(app, before, { signal: abort.signal })
      if (answer === 'rejection') abort.abort()
      await before.approve({ id, namespaces: granted })
      await before.close()
      sendResponses()
      await approval().catch(() => undefined)
      // The settlement's deadline has passed, but the response that is waiting must be handled first.
      const clock = { ...systemClock, now: () => Date.now() + 301_000 }
      const wallet = relay.create('wallet', { storage, clock })
      await wallet.ready()
      await expect
        .poll(() => wallet.sessions().map(({ acknowledged }) => acknowledged))
        .toEqual(expected)
    },
  )

  test('expired entries are reported once, at the start', async () => {
    const memory = createMemoryStore()
    const storage = {
      ...memory,
      setItem: (key: string, value: string) =>
        new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() =>
          memory.setItem(key, value),
        ),
    }
    const before = relay.create('app', { storage })
    const topics = [
      (await settle(before, relay.create('one'))).topic,
      (await settle(before, relay.create('two'))).topic,
    ]
    await before.close()
    const key = 'wc@2:client:0.3//session'
    const sessions = JSON.parse((await memory.getItem(key)) ?? '[]') as object[]
    await memory.setItem(key, JSON.stringify(sessions.map((it) => ({ ...it, expiry: 1 }))))
    const app = relay.create('app', { storage })
    const emitted: string[] = []
    app.on('session_expire', ({ topic }) => emitted.push(topic))
    await app.ready()
    await expect.poll(() => emitted.toSorted()).toEqual(topics.toSorted())
    // Any further event would have been emitted by now.
    await settle(app, relay.create('three'))
    expect(emitted).toHaveLength(2)
  })

  test('an app handles messages that an official client has acknowledged but not handled', async () => {
    const storage = createMemoryStore()
    const before = relay.create('app', { storage })
    const { topic } = await settle(before, relay.create('wallet'))
    await before.close()
    const unhandledKey = 'wc@2:core:0.3//messages_withoutClientAck'
    const keychain = await createKeychain({ store: storage, key: 'wc@2:core:0.3//keychain' })
    const event = { name: 'accountsChanged', data: [account] }
    const message = keychain.encode(
      topic,
      JSON.stringify({
        id: Date.now() * 1_000,
        jsonrpc: '2.0',
        method: 'wc_sessionEvent',
        params: { chainId: 'eip155:1', event },
      }),
    )
    await storage.setItem(unhandledKey, JSON.stringify({ [topic]: { ['a'.repeat(64)]: message } }))

    const app = relay.create('app', { storage })
    expect(await next((listener) => app.on('session_event', listener))).toMatchObject({
      topic,
      params: { event },
    })
    expect(await storage.getItem(unhandledKey)).toBe('{}')
    await app.close()

    await storage.setItem(unhandledKey, '{"a":1}')
    const again = relay.create('app', { storage })
    expect(await next((listener) => again.on('storage_damaged', listener))).toEqual({
      key: unhandledKey,
    })
    expect(again.sessions()).toHaveLength(1)
  })

  test('§7.15.2 state is stored under keys in the official client’s format', async () => {
    const storage = createMemoryStore()
    const app = relay.create('app', { storage, storagePrefix: 'shop' })
    await settle(app, relay.create('wallet'))
    await app.close()
    expect((await storage.getKeys()).toSorted()).toMatchInlineSnapshot(`
      [
        "wc@2:client:0.3:shop//proposal",
        "wc@2:client:0.3:shop//session",
        "wc@2:core:0.3:shop//history",
        "wc@2:core:0.3:shop//inbox",
        "wc@2:core:0.3:shop//keychain",
        "wc@2:core:0.3:shop//pairing",
        "wc@2:core:0.3:shop//subscription",
      ]
    `)
    const sessions = await storage.getItem('wc@2:client:0.3:shop//session')
    expect(JSON.parse(sessions ?? '')).toMatchObject([{ namespaces: granted }])
  })
})
