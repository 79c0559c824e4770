import type { Clock, SignClient } from '@gatefold/sign'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { account, requested, granted, next, startClients } from './clients.ts'
import { createRawPeer, type Json } from './rawPeer.ts'

let relay: Awaited<ReturnType<typeof startClients>>
let peer: Awaited<ReturnType<typeof createRawPeer>>
beforeEach(async () => {
  relay = await startClients()
  peer = await createRawPeer(relay.relayUrl)
})
afterEach(async () => {
  await peer.close()
  await relay.end()
})

/** Records the names of all events that a client emits. */
function record(client: SignClient) {
  const emitted: string[] = []
  for (const name of [
    'session_connect',
    'session_update',
    'session_extend',
    'session_event',
    'session_delete',
    'session_request',
    'session_proposal',
  ] as const)
    client.on(name, () => void emitted.push(name))
  return emitted
}

describe('a hostile wallet', () => {
  let app: SignClient
  let emitted: string[]
  beforeEach(() => {
    app = relay.create('app')
    emitted = record(app)
  })

  async function answer() {
    const { uri, approval } = await app.connect({ optionalNamespaces: requested })
    return { ...(await peer.answerProposal(uri ?? '')), approval }
  }

  async function connect() {
    const { topic, publicKey, approval } = await answer()
    await peer.settle(topic, publicKey, { namespaces: granted })
    await approval()
    emitted.length = 0
    return { topic, publicKey }
  }

  test.each<[string, Json]>([
    ['another namespace', { namespaces: { solana: { accounts: [], methods: [], events: [] } } }],
    [
      'accounts under the wrong chain family',
      {
        namespaces: { eip155: { accounts: ['solana:1:abc'], methods: [], events: [] } },
      },
    ],
    ['no namespaces', { namespaces: {} }],
    [
      'a key that differs from the one in the response',
      { namespaces: granted, controller: { publicKey: 'a'.repeat(64) } },
    ],
    ['an expiry in the past', { namespaces: granted, expiry: 1_700_000_000 }],
    ['namespaces that are not an object', { namespaces: 'all' }],
  ])('settles with %s, which is rejected', async (_what, terms) => {
    const { topic, publicKey, approval } = await answer()
    const id = await peer.settle(topic, publicKey, terms)
    await expect(approval()).rejects.toMatchObject({ name: 'PeerError', reason: { code: 1005 } })
    expect(await peer.answer(id)).toMatchObject({ error: { code: 1005 } })
    expect([app.sessions(), emitted]).toEqual([[], []])
  })

  test('responds with a low-order key, but another wallet can still respond', async () => {
    const { uri, approval } = await app.connect({ optionalNamespaces: requested })
    const bad = await createRawPeer(relay.relayUrl)
    await peer.scan(uri ?? '')
    const pairingTopic = await bad.scan(uri ?? '')
    const { id = 0 } = await peer.request('wc_sessionPropose')
    const result = { relay: { protocol: 'irn' }, responderPublicKey: '0'.repeat(64) }
    await bad.send(pairingTopic, { id, result }, 1101)
    await bad.close()
    const { topic, publicKey } = await peer.answerProposal(uri ?? '')
    await peer.settle(topic, publicKey, { namespaces: granted })
    expect((await approval()).topic).toBe(topic)
  })

  test('responds with an empty error, and the approval is rejected', async () => {
    const { uri, approval } = await app.connect({ optionalNamespaces: requested })
    const topic = await peer.scan(uri ?? '')
    const { id = 0 } = await peer.request('wc_sessionPropose')
    await peer.send(topic, { id, error: {} }, 1121)
    await expect(approval()).rejects.toMatchObject({ reason: { code: -32_000 } })
  })

  test('settles with properties that are not strings, which the app accepts', async () => {
    const { uri, approval } = await app.connect({ optionalNamespaces: requested })
    const { topic, publicKey } = await peer.answerProposal(uri ?? '')
    const sessionProperties = { capabilities: { '0x1': { atomic: true } } }
    await peer.settle(topic, publicKey, { namespaces: granted, sessionProperties })
    expect(await approval()).toMatchObject({ sessionProperties })
  })

  test('responds twice to a proposal, and the second response is ignored', async () => {
    const { topic, publicKey, pairingTopic, proposalId, approval } = await answer()
    const other = await peer.keychain.createKeyPair()
    const result = { relay: { protocol: 'irn' }, responderPublicKey: other }
    await peer.send(pairingTopic, { id: proposalId, result }, 1101)
    await peer.settle(topic, publicKey, { namespaces: granted })
    expect((await approval()).peer.publicKey).toBe(publicKey)
  })

  test.each<[string, number, string, Json]>([
    [
      'an event for a chain that was not approved',
      3005,
      'wc_sessionEvent',
      { chainId: 'eip155:137', event: { name: 'chainChanged', data: 137 } },
    ],
    [
      'an event that was not approved',
      3002,
      'wc_sessionEvent',
      { chainId: 'eip155:1', event: { name: 'message', data: 1 } },
    ],
    ['an event without a name', 1002, 'wc_sessionEvent', { chainId: 'eip155:1', event: {} }],
    [
      'an update to another chain family',
      1003,
      'wc_sessionUpdate',
      { namespaces: { cosmos: { accounts: ['cosmos:a:b'], methods: [], events: [] } } },
    ],
    [
      'an invalid update',
      1003,
      'wc_sessionUpdate',
      { namespaces: { eip155: { accounts: 'all' } } },
    ],
    ['an unknown method', 10001, 'wc_sessionSurprise', {}],
    ['a method with the name of an object property', 10001, 'constructor', {}],
  ])('sends %s, which is rejected with code %i', async (_what, code, method, params) => {
    const { topic } = await connect()
    const id = await peer.send(topic, { method, params })
    expect(await peer.answer(id)).toMatchObject({ error: { code } })
    expect([emitted, app.sessions()]).toMatchObject([[], [{ namespaces: granted }]])
  })

  test('sends a session request to an app, which is ignored', async () => {
    const { topic } = await connect()
    await peer.send(topic, {
      method: 'wc_sessionRequest',
      params: { chainId: 'eip155:1', request: { method: 'personal_sign', params: [] } },
    })
    const ping = await peer.send(topic, { method: 'wc_sessionPing', params: {} })
    expect(await peer.answer(ping)).toMatchObject({ result: true })
    expect([emitted, app.pendingRequests()]).toEqual([[], []])
  })

  test('§5.12.7 sends an update that is older than the last one, which is rejected; duplicates are ignored', async () => {
    const { topic } = await connect()
    const updateTo = (address: string) => ({
      method: 'wc_sessionUpdate',
      params: { namespaces: { eip155: { ...granted.eip155, accounts: [`eip155:1:${address}`] } } },
    })
    const old = peer.id()
    const first = await peer.send(topic, updateTo('0xnew'), 1104)
    expect(await peer.answer(first)).toMatchObject({ result: true })
    await peer.send(topic, { ...updateTo('0xnew'), id: first }, 1104)
    const late = await peer.send(topic, { ...updateTo('0xold'), id: old }, 1104)
    expect(await peer.answer(late)).toMatchObject({ error: { code: 1003 } })
    expect(emitted).toEqual(['session_update'])
    expect(app.sessions()[0]?.namespaces['eip155']?.accounts).toEqual(['eip155:1:0xnew'])
  })

  test('sends a response without a request, or on another topic, which is ignored', async () => {
    const one = await connect()
    const two = await (async () => {
      const other = await createRawPeer(relay.relayUrl)
      const { uri, approval } = await app.connect({ optionalNamespaces: requested })
      const { topic, publicKey } = await other.answerProposal(uri ?? '')
      await other.settle(topic, publicKey, { namespaces: granted })
      await approval()
      return { topic, other }
    })()
    const answer = app.request({
      topic: one.topic,
      chainId: 'eip155:1',
      request: { method: 'personal_sign', params: ['0x', account] },
    })
    const { id = 0 } = await peer.request('wc_sessionRequest')
    await two.other.send(two.topic, { id, result: '0xstolen' }, 1109)
    await peer.send(one.topic, { id: id + 1, result: '0xother' }, 1109)
    await peer.send(one.topic, { id, result: '0xright' }, 1109)
    await peer.send(one.topic, { id, result: '0xlate' }, 1109)
    expect(await answer).toBe('0xright')
    await two.other.close()
  })

  test('§4.18.4 disconnects, and pending requests are rejected', async () => {
    const { topic } = await connect()
    const answer = app.request({ topic, chainId: 'eip155:1', request: { method: 'personal_sign' } })
    await peer.request('wc_sessionRequest')
    await peer.send(topic, { method: 'wc_sessionDelete', params: { code: 6000, message: 'Bye.' } })
    await expect(answer).rejects.toMatchObject({ reason: { code: 6000 } })
    expect([emitted, app.sessions()]).toEqual([['session_delete'], []])
  })
})

describe('a hostile app', () => {
  let wallet: SignClient
  let emitted: string[]
  beforeEach(() => {
    wallet = relay.create('wallet')
    emitted = record(wallet)
  })

  /** Connects the raw peer with the wallet, and subscribes to the session. */
  async function connect() {
    const proposed = next<{ id: number }>((listener) => wallet.on('session_proposal', listener))
    const { id, uri, publicKey } = await peer.propose({ optionalNamespaces: requested })
    await wallet.pair({ uri })
    await proposed
    const { topic, acknowledged } = await wallet.approve({ id, namespaces: granted })
    const { result } = await peer.answer(id)
    const { responderPublicKey } = result as { responderPublicKey: string }
    expect(await peer.keychain.agree(publicKey, responderPublicKey)).toMatchObject({ topic })
    await peer.relayer.subscribe(topic)
    emitted.length = 0
    return { topic, acknowledged }
  }

  test.each<[string, Json]>([
    ['namespaces as a string', { optionalNamespaces: 'all' }],
    [
      'invalid chains',
      { optionalNamespaces: { eip155: { chains: ['1'], methods: [], events: [] } } },
    ],
    [
      'scoped properties without a value',
      { optionalNamespaces: requested, scopedProperties: { eip155: null } },
    ],
  ])('proposes %s, which is rejected immediately', async (_what, params) => {
    const { id, uri } = await peer.propose(params)
    await wallet.pair({ uri })
    expect(await peer.answer(id)).toHaveProperty('error.code')
    expect([emitted, wallet.proposals()]).toEqual([[], []])
  })

  test('§4.18.3 sends a proposal twice, which is emitted once, and again when the QR code is scanned again', async () => {
    const { id, uri, publicKey } = await peer.propose({ optionalNamespaces: requested })
    await wallet.pair({ uri })
    await expect.poll(() => emitted).toEqual(['session_proposal'])
    const { topic } = { topic: wallet.pairings()[0]?.topic ?? '' }
    await peer.send(topic, {
      id,
      method: 'wc_sessionPropose',
      params: { proposer: { publicKey, metadata: {} }, optionalNamespaces: requested },
    })
    const ping = await peer.send(topic, { method: 'wc_pairingPing', params: {} }, 1002)
    await peer.answer(ping)
    expect(emitted).toEqual(['session_proposal'])
    await wallet.pair({ uri })
    expect(emitted).toEqual(['session_proposal', 'session_proposal'])
    await wallet.approve({ id, namespaces: granted })
    await expect(wallet.pair({ uri })).rejects.toThrow('Pairing already exists')
  })

  test('§4.18.4/3 rejects the settlement, and no session remains', async () => {
    const { topic, acknowledged } = await connect()
    const settle = await peer.request('wc_sessionSettle')
    const error = { code: 7000, message: 'Session settlement failed.' }
    await peer.send(topic, { id: settle.id ?? 0, error }, 1103)
    await expect(acknowledged()).rejects.toMatchObject({ reason: error })
    expect(wallet.sessions()).toEqual([])
  })

  test('rejects the settlement without code and message, as official clients do, and no session remains', async () => {
    const { topic, acknowledged } = await connect()
    const settle = await peer.request('wc_sessionSettle')
    await peer.send(topic, { id: settle.id ?? 0, error: {} }, 1103)
    const reason = { code: -32_000, message: 'No reason was given.' }
    await expect(acknowledged()).rejects.toMatchObject({ reason })
    expect(wallet.sessions()).toEqual([])
  })

  test('proposes a distant expiry, but the proposal expires with its pairing, and can be rejected after the pairing is deleted', async () => {
    const proposed = next<{ id: number }>((listener) => wallet.on('session_proposal', listener))
    const { uri, id, pairingTopic } = await peer.propose({
      optionalNamespaces: requested,
      expiryTimestamp: Math.floor(Date.now() / 1_000) + 315_360_000,
    })
    await wallet.pair({ uri })
    await proposed
    expect(wallet.proposals()[0]?.expiryTimestamp).toBeLessThanOrEqual(Date.now() / 1_000 + 300)
    // The app deletes the pairing, so no response is sent.
    await peer.send(pairingTopic, { method: 'wc_pairingDelete', params: {} }, 1000)
    await expect.poll(() => wallet.pairings()).toEqual([])
    await wallet.reject({ id, reason: { code: 5000, message: 'User rejected.' } })
    expect(wallet.proposals()).toEqual([])
  })

  test('sends a request that is nested too deeply, which is dropped, and the next request is emitted', async () => {
    const { topic } = await connect()
    const createRequest = (params: unknown) => ({
      method: 'wc_sessionRequest',
      params: { chainId: 'eip155:1', request: { method: 'personal_sign', params } },
    })
    const text = JSON.stringify({ id: peer.id(), jsonrpc: '2.0', ...createRequest('deep') })
    const deep = text.replace('"deep"', '['.repeat(100_000) + ']'.repeat(100_000))
    const message = peer.keychain.encode(topic, deep)
    await peer.relayer.publish(topic, message, { ttl: 300, tag: 1108, prompt: false })
    const id = await peer.send(topic, createRequest([]))
    await expect.poll(() => emitted).toEqual(['session_request'])
    expect(wallet.pendingRequests().map((request) => request.id)).toEqual([id])
  })

  test('attack: requests beyond the limits of a session are refused', async () => {
    // The client paces the requests; here its time runs ten times as fast, so that it waits 6 s for the relay.
    const start = Date.now()
    const clock: Clock = {
      now: () => start + (Date.now() - start) * 10,
      later(run, delayMs) {
        const timer = setTimeout(run, delayMs / 10)
        return () => clearTimeout(timer)
      },
    }
    wallet = relay.create('wallet', { clock })
    const { topic } = await connect()
    const send = (params: unknown) =>
      peer.send(topic, {
        method: 'wc_sessionRequest',
        params: { chainId: 'eip155:1', request: { method: 'personal_sign', params } },
      })
    const large = 'x'.repeat(700_000)
    const ids = [await send([large]), await send([large]), await send([large])]
    const refused = { error: { code: -32_005, message: 'Too many pending requests.' } }
    expect(await peer.answer(ids[2] ?? 0)).toMatchObject(refused)
    expect(wallet.pendingRequests().map(({ id }) => id)).toEqual(ids.slice(0, 2))
    // A response makes room for another request.
    for (const id of ids.slice(0, 2))
      await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0x' } })
    const many = Array.from({ length: 101 }, () => peer.id())
    await Promise.all(
      many.map((id) =>
        peer.send(topic, {
          id,
          method: 'wc_sessionRequest',
          params: { chainId: 'eip155:1', request: { method: 'personal_sign', params: [] } },
        }),
      ),
    )
    expect(await peer.answer(many[100] ?? 0)).toMatchObject(refused)
    expect(wallet.pendingRequests()).toHaveLength(100)
  })

  test.each<[string, number, string, Json]>([
    ['an update', 3003, 'wc_sessionUpdate', { namespaces: granted }],
    [
      'an event',
      3002,
      'wc_sessionEvent',
      { chainId: 'eip155:1', event: { name: 'chainChanged', data: 1 } },
    ],
    [
      'a request for another chain',
      3005,
      'wc_sessionRequest',
      { chainId: 'eip155:5', request: { method: 'personal_sign', params: [] } },
    ],
    [
      'a request for another method',
      3001,
      'wc_sessionRequest',
      { chainId: 'eip155:1', request: { method: 'eth_sign', params: [] } },
    ],
    [
      'an expired request',
      8000,
      'wc_sessionRequest',
      { chainId: 'eip155:1', request: { method: 'personal_sign', expiryTimestamp: 1_700_000_000 } },
    ],
    ['a request without a method', 1001, 'wc_sessionRequest', { chainId: 'eip155:1', request: {} }],
    ['an unknown method', 10001, 'wc_sessionSurprise', {}],
  ])('sends %s, which is rejected with code %i', async (_what, code, method, params) => {
    const { topic } = await connect()
    const before = wallet.sessions()[0]?.expiry
    const sent = await peer.send(topic, { method, params })
    expect(await peer.answer(sent)).toMatchObject({ error: { code } })
    expect([emitted, wallet.pendingRequests(), wallet.sessions()[0]?.expiry]).toEqual([
      [],
      [],
      before,
    ])
  })
})
