import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import {
  granted,
  next,
  propose,
  requestOf,
  requested,
  settle,
  signing,
  useClients,
} from './clients.ts'

const relay = useClients()

describe('aborting', () => {
  test('a connection: a late approval is rejected, and the wallet keeps no session', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet')
    const ended = next<object>((listener) => wallet.on('session_delete', listener))
    const abort = new AbortController()
    const { id, approval } = await propose(app, wallet, { signal: abort.signal })
    abort.abort(new Error('closed'))
    await expect(approval()).rejects.toThrow('closed')
    const { acknowledged } = await wallet.approve({ id, namespaces: granted })
    const refusal = { code: 5000, message: 'User rejected.' }
    await expect(acknowledged()).rejects.toMatchObject({ reason: refusal })
    expect(await ended).toMatchObject({ reason: refusal })
    expect([wallet.sessions(), app.sessions(), app.pairings()]).toEqual([[], [], []])
    const other = await settle(app, relay.create('other'))
    expect(app.sessions().map(({ topic }) => topic)).toEqual([other.topic])
  })

  test('a connection: an approval with a late settlement is rejected too', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet')
    const abort = new AbortController()
    const { id, approval } = await propose(app, wallet, { signal: abort.signal })
    const approving = wallet.approve({ id, namespaces: granted })
    abort.abort(new Error('closed'))
    await expect(approval()).rejects.toThrow('closed')
    await expect((await approving).acknowledged()).rejects.toMatchObject({
      reason: { code: 5000 },
    })
    expect([wallet.sessions(), app.sessions()]).toEqual([[], []])
  })

  test('a connection: when the proposal expires, its pairing is deleted and no event is emitted', async () => {
    const clock = createManualClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet')
    const emitted: unknown[] = []
    app.on('proposal_expire', (event) => emitted.push(event))
    const abort = new AbortController()
    const { approval } = await propose(app, wallet, { signal: abort.signal })
    abort.abort(new Error('closed'))
    await expect(approval()).rejects.toThrow('closed')
    clock.advance(301_000)
    await expect.poll(() => app.pairings()).toEqual([])
    expect(emitted).toEqual([])
  })

  test('a connection immediately: no proposal is published or stored', async () => {
    const storage = createMemoryStore()
    const app = relay.create('app', { storage })
    const wallet = relay.create('wallet')
    const emitted: unknown[] = []
    wallet.on('session_proposal', (event) => emitted.push(event))
    for (const start of [
      (signal: AbortSignal) => app.connect({ optionalNamespaces: requested, signal }),
      (signal: AbortSignal) =>
        app.authenticate({
          chains: ['eip155:1'],
          domain: 'app.example',
          uri: 'https://app.example',
          nonce: 'f0e1d2c3b4a59687',
          signal,
        }),
    ]) {
      const abort = new AbortController()
      const { uri, approval } = await start(abort.signal)
      abort.abort()
      await expect(approval()).rejects.toMatchObject({ name: 'AbortError' })
      await wallet.pair({ uri: uri ?? '' })
    }
    const { topic } = await settle(app, relay.create('other'))
    expect([emitted, app.sessions().map((session) => session.topic)]).toEqual([[], [topic]])
    const keys = JSON.parse((await storage.getItem('wc@2:core:0.3//keychain')) ?? '{}') as object
    // The client's key, two keys of the session, and the pairing's key.
    expect(Object.keys(keys)).toHaveLength(4)
  })

  test('a request immediately: it is not published', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet')
    const { topic } = await settle(app, wallet)
    const emitted: number[] = []
    wallet.on('session_request', ({ id }) => emitted.push(id))
    const abort = new AbortController()
    const answer = app.request({
      topic,
      chainId: 'eip155:1',
      request: signing,
      signal: abort.signal,
    })
    abort.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    await app.ping({ topic })
    expect([emitted, app.pendingOutgoing()]).toEqual([[], []])
  })

  test('a request: a late response is ignored', async () => {
    const app = relay.create('app')
    const wallet = relay.create('wallet')
    const { topic } = await settle(app, wallet)
    const request = requestOf(wallet)
    const abort = new AbortController()
    const answer = app.request({
      topic,
      chainId: 'eip155:1',
      request: signing,
      signal: abort.signal,
    })
    const { id } = await request
    abort.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => app.pendingOutgoing()).toEqual([])
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlate' } })
    await app.ping({ topic })
    expect(app.pendingOutgoing()).toEqual([])
  })
})
