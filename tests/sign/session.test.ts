import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import {
  account,
  asked,
  granted,
  metadataOf,
  next,
  proposalOf,
  requestOf,
  settle,
  signing,
  useClients,
} from './clients.ts'

const relay = useClients()

test('§7.14.1 propose, settle, request, event, update, extend, ping and delete', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { topic, session } = await settle(app, wallet)
  expect(session).toMatchObject({
    topic,
    acknowledged: true,
    namespaces: granted,
    relay: { protocol: 'irn' },
    peer: { metadata: metadataOf('wallet') },
    transportType: 'relay',
  })
  expect(wallet.sessions()[0]).toMatchObject({ topic, acknowledged: true, self: session?.peer })

  const request = requestOf(wallet)
  const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
  const { id, params } = await request
  expect(params).toMatchObject({ chainId: 'eip155:1', request: signing })
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
  expect(await answer).toBe('0xsigned')

  const event = next((listener) => app.on('session_event', listener))
  const changed = { name: 'accountsChanged', data: [account] }
  await wallet.emit({ topic, chainId: 'eip155:1', event: changed })
  expect(await event).toMatchObject({ topic, params: { chainId: 'eip155:1', event: changed } })

  const namespaces = { eip155: { ...granted.eip155, accounts: ['eip155:1:0xother'] } }
  const updated = next((listener) => app.on('session_update', listener))
  await (await wallet.update({ topic, namespaces })).acknowledged()
  expect(await updated).toMatchObject({ topic, params: { namespaces } })
  expect([app.sessions()[0]?.namespaces, wallet.sessions()[0]?.namespaces]).toEqual([
    namespaces,
    namespaces,
  ])

  const extended = next((listener) => app.on('session_extend', listener))
  await (await wallet.extend({ topic })).acknowledged()
  expect(await extended).toMatchObject({ topic })
  const extendedByApp = next((listener) => wallet.on('session_extend', listener))
  await (await app.extend({ topic })).acknowledged()
  expect(await extendedByApp).toMatchObject({ topic })

  const pinged = next((listener) => app.on('session_ping', listener))
  await wallet.ping({ topic })
  expect(await pinged).toMatchObject({ topic })
  await app.ping({ topic })

  const ended = next((listener) => wallet.on('session_delete', listener))
  await app.disconnect({ topic })
  expect(await ended).toMatchObject({
    topic,
    reason: { code: 6000, message: 'User disconnected.' },
  })
  expect([app.sessions(), wallet.sessions(), app.pendingOutgoing()]).toEqual([[], [], []])
})

test('§9.10.2 contract 4.2: every message goes out with its lifetime, tag and prompt', async () => {
  const published: unknown[] = []
  class Recording extends WebSocket {
    override send(data: string) {
      const { method, params } = JSON.parse(data) as {
        method?: string
        params?: { ttl: number; tag: number; prompt: boolean }
      }
      if (method === 'irn_publish') published.push([params?.tag, params?.ttl, params?.prompt])
      if (method?.startsWith('wc_')) published.push(method)
      super.send(data)
    }
  }
  const app = relay.create('app', { WebSocket: Recording })
  const wallet = relay.create('wallet', { WebSocket: Recording })
  const proposed = proposalOf(wallet)
  const first = await app.connect({ optionalNamespaces: asked })
  await wallet.pair({ uri: first.uri ?? '' })
  await wallet.reject({
    id: (await proposed).id,
    reason: { code: 5000, message: 'User rejected.' },
  })
  await expect(first.approval()).rejects.toMatchObject({ reason: { code: 5000 } })
  const { topic, session } = await settle(app, wallet)
  expect(Math.abs(session.expiry - Date.now() / 1_000 - 604_800)).toBeLessThan(30)
  const request = requestOf(wallet)
  const answer = app.request({ topic, chainId: 'eip155:1', request: signing, expiry: 600 })
  await wallet.respond({ topic, response: { id: (await request).id, jsonrpc: '2.0', result: 1 } })
  await answer
  await wallet.emit({ topic, chainId: 'eip155:1', event: { name: 'chainChanged', data: 1 } })
  await (await wallet.update({ topic, namespaces: granted })).acknowledged()
  await (await wallet.extend({ topic })).acknowledged()
  await app.ping({ topic })
  await app.disconnect({ topic })
  expect(published).toEqual([
    'wc_proposeSession',
    [1120, 300, false],
    'wc_proposeSession',
    'wc_approveSession',
    [1103, 300, false],
    [1108, 600, true],
    [1109, 900, false],
    [1110, 300, true],
    [1104, 86_400, false],
    [1105, 86_400, false],
    [1106, 86_400, false],
    [1107, 86_400, false],
    [1114, 86_400, false],
    [1115, 86_400, false],
    [1112, 86_400, false],
  ])
})

test('§3.19.2 §3.19.3 what a wallet holds of a proposal and of a request', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposed = proposalOf(wallet)
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  const { topic: pairingTopic } = await wallet.pair({ uri: uri ?? '' })
  const { id } = await proposed
  const expected = (seconds: number) => expect.closeTo(Date.now() / 1_000 + seconds, -2)
  const metadata = expect.objectContaining(metadataOf('app')) as unknown
  const verified = { verifyUrl: '', validation: 'UNKNOWN', origin: metadataOf('app').url }
  expect(wallet.proposals()).toEqual([
    {
      id,
      pairingTopic,
      expiryTimestamp: expected(300),
      proposer: { publicKey: expect.stringMatching(/^[0-9a-f]{64}$/), metadata },
      requiredNamespaces: {},
      optionalNamespaces: asked,
      relays: [{ protocol: 'irn' }],
      verifyContext: { verified },
    },
  ])
  const { topic } = await wallet.approve({ id, namespaces: granted })
  await approval()

  const shown = requestOf(wallet)
  void app.request({ topic, chainId: 'eip155:1', request: signing }).catch(() => undefined)
  const request = { ...signing, expiryTimestamp: expected(900) }
  expect(await shown).toEqual({
    id: expect.any(Number),
    topic,
    params: { chainId: 'eip155:1', request },
    verifyContext: { verified },
  })
  expect(wallet.pendingRequests()).toEqual([await shown])
})

test('§8.9.3 §4.18.7 what was just deleted is refused by that name', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposed = proposalOf(wallet)
  const { uri } = await app.connect({ optionalNamespaces: asked })
  const pairing = await wallet.pair({ uri: uri ?? '' })
  const { id } = await proposed
  await wallet.reject({ id, reason: { code: 5000, message: 'User rejected.' } })
  const { topic } = await settle(app, wallet)
  const deleted = next((listener) => wallet.on('session_delete', listener))
  await app.disconnect({ topic })
  await deleted
  await wallet.disconnect({ topic: pairing.topic })

  const refused = (what: string) => ({
    name: 'ValidationError',
    code: 'sign.recently_deleted',
    shortMessage: `Missing or invalid. Record was recently deleted - ${what}`,
  })
  const namespaces = granted
  await expect(wallet.approve({ id, namespaces })).rejects.toMatchObject(refused(`proposal: ${id}`))
  await expect(wallet.update({ topic, namespaces })).rejects.toMatchObject(
    refused(`session: ${topic}`),
  )
  await expect(app.ping({ topic })).rejects.toMatchObject(refused(`session: ${topic}`))
  await expect(wallet.ping({ topic: pairing.topic })).rejects.toMatchObject(
    refused(`pairing: ${pairing.topic}`),
  )
})

test('§8.9.5 a wallet that listens to no proposal: its developer is told', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const { uri } = await relay.create('app').connect({ optionalNamespaces: asked })
  const wallet = relay.create('wallet')
  await wallet.pair({ uri: uri ?? '' })
  await expect.poll(() => wallet.proposals()).toHaveLength(1)
  expect(warned.mock.calls).toEqual([[expect.stringContaining('No listener for session_proposal')]])
})

describe('§9.10.1 pauses', () => {
  test('a ping is answered 500 ms after its answer came', async () => {
    const clock = createManualClock()
    const paused: number[] = []
    const later: typeof clock.later = (run, delayMs) => {
      paused.push(delayMs)
      return clock.later(run, delayMs)
    }
    const app = relay.create('app', { clock: { ...clock, later } })
    const { topic } = await settle(app, relay.create('wallet'))
    let isAnswered = false
    const pinged = app.ping({ topic }).then(() => (isAnswered = true))
    await expect.poll(() => paused).toContain(500)
    clock.advance(499)
    await app.clientId()
    expect(isAnswered).toBe(false)
    clock.advance(1)
    await pinged
  })

  test('what waited for a wallet is shown 1 s after its start', async () => {
    const storage = createMemoryStore()
    const before = relay.create('wallet', { storage })
    const proposed = proposalOf(before)
    const { uri } = await relay.create('app').connect({ optionalNamespaces: asked })
    await before.pair({ uri: uri ?? '' })
    const { id } = await proposed
    await before.close()

    const clock = createManualClock()
    const wallet = relay.create('wallet', { storage, clock })
    const shown: number[] = []
    wallet.on('session_proposal', ({ id }) => shown.push(id))
    await wallet.ready()
    clock.advance(999)
    // IncomingResponse by the part that shows it, which is there then.
    await expect(wallet.pair({ uri: 'wc:' })).rejects.toThrow('Missing or invalid.')
    expect(shown).toEqual([])
    clock.advance(1)
    await expect.poll(() => shown).toEqual([id])
  })

  test('a message is handled as it comes, not at the next beat', async () => {
    const clock = createManualClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet')
    const { topic } = await settle(app, wallet)
    const heard = next((listener) => app.on('session_event', listener))
    const event = { name: 'chainChanged', data: 1 }
    await wallet.emit({ topic, chainId: 'eip155:1', event })
    expect(await heard).toMatchObject({ params: { event } })
  })
})

test('§3.19.6 what can be looked up goes along: methods, chain, hashes, contracts', async () => {
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

test('required namespaces go out as optional ones, and a known pairing is used again', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const first = proposalOf(wallet)
  const one = await app.connect({
    requiredNamespaces: asked,
    optionalNamespaces: { 'eip155:10': { methods: ['eth_sign'], events: [] } },
    sessionProperties: { capability: '{}' },
    scopedProperties: { eip155: { wallet_sendCalls: true } },
  })
  await wallet.pair({ uri: one.uri ?? '' })
  const { id } = await first
  expect(wallet.proposals()[0]).toMatchObject({
    requiredNamespaces: {},
    optionalNamespaces: {
      eip155: {
        chains: ['eip155:1', 'eip155:10'],
        methods: ['personal_sign', 'eth_sendTransaction', 'eth_sign'],
      },
    },
    scopedProperties: { eip155: { wallet_sendCalls: true } },
  })
  await wallet.approve({ id, namespaces: granted })
  const { pairingTopic } = await one.approval()

  const second = proposalOf(wallet)
  const two = await app.connect({ optionalNamespaces: asked, pairingTopic })
  expect(two.uri).toBeUndefined()
  await wallet.approve({ id: (await second).id, namespaces: granted })
  expect((await two.approval()).pairingTopic).toBe(pairingTopic)
  await wallet.ping({ topic: pairingTopic })
  await app.disconnect({ topic: pairingTopic })
  await expect.poll(() => wallet.pairings()).toEqual([])
})

test.each<[string, unknown, object]>([
  [
    'an Error',
    new Error('The device is locked.'),
    { code: -32_000, message: 'The device is locked.' },
  ],
  ['a code as a text', { code: '4001', message: 'No.' }, { code: 4001, message: 'No.' }],
])('a wallet answers with %s for an error: the app hears it', async (_what, error, reason) => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { topic } = await settle(app, wallet)
  const shown = requestOf(wallet)
  const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
  const { id } = await shown
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', error: error as never } })
  await expect(answer).rejects.toMatchObject({ reason })
})

test('a life that is no whole number of seconds is cut to one', async () => {
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

test('what is answered twice at once is answered once', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposed = proposalOf(wallet)
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  await wallet.pair({ uri: uri ?? '' })
  const { id } = await proposed
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

test('a pairing that is used again just before its end lasts as long as what is proposed on it', async () => {
  const clock = createManualClock()
  const app = relay.create('app', { clock })
  const wallet = relay.create('wallet', { clock })
  const { session } = await settle(app, wallet)
  clock.advance(270_000)
  // Sockets that so long brought nothing are replaced, which takes time that passes.
  const passing = setInterval(() => clock.advance(50), 5)
  onTestFinished(() => clearInterval(passing))
  const proposed = proposalOf(wallet)
  const { approval } = await app.connect({
    optionalNamespaces: asked,
    pairingTopic: session.pairingTopic,
  })
  const { id } = await proposed
  clock.advance(60_000)
  await wallet.approve({ id, namespaces: granted })
  expect(await approval()).toMatchObject({ pairingTopic: session.pairingTopic })
})

describe('§4.18.5 the session request queue', () => {
  test('shows one request at a time, the next after the answer', async () => {
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

  test('is off where it is not wanted', async () => {
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

describe('§4.18.6 what is over goes, and is told', () => {
  test('a proposal after five minutes, on both sides', async () => {
    const clock = createManualClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet', { clock })
    const proposed = proposalOf(wallet)
    const { uri, expiresAt, approval } = await app.connect({ optionalNamespaces: asked })
    expect(expiresAt - clock.now()).toBe(240_000)
    await wallet.pair({ uri: uri ?? '' })
    const { id } = await proposed
    const expired = Promise.all([
      next((listener) => app.on('proposal_expire', listener)),
      next((listener) => wallet.on('proposal_expire', listener)),
    ])
    clock.advance(301_000)
    expect(await expired).toEqual([{ id }, { id }])
    await expect(approval()).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: 'Proposal expired',
    })
    await expect.poll(() => [app.pairings(), wallet.pairings()]).toEqual([[], []])
    await expect(wallet.approve({ id, namespaces: granted })).rejects.toThrow(
      `Record was recently deleted - proposal: ${id}`,
    )
  })

  test('a request after its time', async () => {
    const clock = createManualClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet', { clock })
    const { topic } = await settle(app, wallet)
    const request = requestOf(wallet)
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing, expiry: 300 })
    const { id } = await request
    const gone = next((listener) => wallet.on('session_request_expire', listener))
    clock.advance(301_000)
    expect(await gone).toEqual({ id })
    await expect(answer).rejects.toThrow('Request expired. Please try again.')
    expect([app.pendingOutgoing(), wallet.pendingRequests()]).toEqual([[], []])
  })

  test('a session after a week', async () => {
    const storage = createMemoryStore()
    const before = relay.create('app', { storage })
    const { topic } = await settle(before, relay.create('wallet'))
    await before.close()
    const clock = createManualClock(Date.now() + 604_790_000)
    const app = relay.create('app', { storage, clock })
    await app.ready()
    expect(app.sessions()).toHaveLength(1)
    const over = next((listener) => app.on('session_expire', listener))
    clock.advance(11_000)
    expect(await over).toEqual({ topic })
    await expect(app.request({ topic, chainId: 'eip155:1', request: signing })).rejects.toThrow(
      `Record was recently deleted - session: ${topic}`,
    )
  })
})

test('requests of one millisecond are answered each with its own answer', async () => {
  const clock = createManualClock()
  const app = relay.create('app', { clock })
  const wallet = relay.create('wallet', { disableRequestQueue: true })
  const { topic } = await settle(app, wallet)
  wallet.on('session_request', ({ id, params }) => {
    const response = { id, jsonrpc: '2.0', result: params.request.params } as const
    void wallet.respond({ topic, response })
  })
  // The same three digits, as one pair in a thousand has.
  const random = crypto.getRandomValues.bind(crypto)
  const same = vi.spyOn(crypto, 'getRandomValues')
  same.mockImplementation((array) => (array instanceof Uint16Array ? array : random(array)))
  onTestFinished(() => same.mockRestore())
  const asked = [['first'], ['second'], ['third']]
  const answers = asked.map((params) =>
    app.request({ topic, chainId: 'eip155:1', request: { method: 'personal_sign', params } }),
  )
  expect(await Promise.all(answers)).toEqual(asked)
})

test('a listener that fails keeps no other from hearing, nor does one that comes anew each time', async () => {
  const thrown: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => thrown.push(error.message))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  })
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { topic } = await settle(app, wallet)
  const heard: string[] = []
  wallet.on('session_delete', () => {
    throw new Error('a page that fails')
  })
  const renew = () => {
    heard.push('renewed')
    stop()
    if (heard.length < 10) stop = wallet.on('session_delete', renew)
  }
  let stop = wallet.on('session_delete', renew)
  wallet.on('session_delete', () => heard.push('last'))
  await app.disconnect({ topic })
  await expect.poll(() => heard).toEqual(['renewed', 'last'])
  await expect.poll(() => thrown).toEqual(['a page that fails'])
})

describe('while the relay has not answered a wallet', () => {
  /** A session whose wallet has what it publishes with a tag held back until `release`. */
  async function hold(tag: number) {
    const held = { release: () => {} }
    class Holding extends WebSocket {
      override send(data: string) {
        if (data.includes(`"tag":${tag},`)) held.release = () => super.send(data)
        else super.send(data)
      }
    }
    const app = relay.create('app')
    const wallet = relay.create('wallet', { WebSocket: Holding })
    const { topic } = await settle(app, wallet)
    return { app, wallet, topic, held }
  }

  test('a session that ends while it is extended stays ended', async () => {
    const { app, wallet, topic, held } = await hold(1106)
    const extending = wallet.extend({ topic })
    await wallet.ping({ topic })
    await app.disconnect({ topic })
    await expect.poll(() => wallet.sessions()).toEqual([])
    held.release()
    await extending
    expect(wallet.sessions()).toEqual([])
  })

  test('what is granted while a session is extended stays granted', async () => {
    const { wallet, topic, held } = await hold(1106)
    const before = wallet.sessions()[0]?.expiry ?? 0
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    onTestFinished(() => void vi.useRealTimers())
    const extending = wallet.extend({ topic })
    const namespaces = { eip155: { ...granted.eip155, accounts: ['eip155:1:0xnew'] } }
    await wallet.update({ topic, namespaces })
    held.release()
    await extending
    expect(wallet.sessions()).toMatchObject([{ namespaces }])
    expect(wallet.sessions()[0]?.expiry).toBeGreaterThan(before)
  })
})

test('an update that the relay refuses undoes no later one', async () => {
  let refuse = () => {}
  let isFirst = true
  class Refused extends WebSocket {
    override send(data: string) {
      if (!data.includes('"tag":1104,') || !isFirst) return super.send(data)
      isFirst = false
      const { id } = JSON.parse(data) as { id: string }
      const error = { code: -32_600, message: 'Invalid payload', data: 'PayloadSizeExceeded' }
      const answer = JSON.stringify({ id, jsonrpc: '2.0', error })
      refuse = () => this.dispatchEvent(new MessageEvent('message', { data: answer }))
    }
  }
  const app = relay.create('app')
  const wallet = relay.create('wallet', { WebSocket: Refused })
  const { topic } = await settle(app, wallet)
  const grant = (address: string) => ({
    eip155: { ...granted.eip155, accounts: [`eip155:1:${address}`] },
  })
  const first = wallet.update({ topic, namespaces: grant('0xfirst') })
  await (await wallet.update({ topic, namespaces: grant('0xsecond') })).acknowledged()
  refuse()
  await expect(first).rejects.toMatchObject({ code: 'sign.relay' })
  for (const client of [app, wallet])
    expect(client.sessions()).toMatchObject([{ namespaces: grant('0xsecond') }])
})

test('a closed client says so', async () => {
  const app = relay.create('app')
  const { approval } = await app.connect({ optionalNamespaces: asked })
  await app.close()
  await expect(approval()).rejects.toThrow('Not initialized. The sign client is closed.')
  await expect(app.ping({ topic: 'a' })).rejects.toThrow('Not initialized.')
})
