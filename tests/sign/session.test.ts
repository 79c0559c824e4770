import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  account,
  granted,
  metadataOf,
  next,
  propose,
  requestOf,
  requested,
  settle,
  signing,
  useClients,
} from './clients.ts'

const relay = useClients()

test('§7.14.1 two clients propose, settle, request, emit, update, extend, ping and delete', async () => {
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

test('§3.19.1 §6.1.2 app and wallet store the same session, each with the other as its peer', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const optional = { solana: { chains: ['solana:1'], methods: ['solana_signMessage'], events: [] } }
  const { id, pairingTopic, approval } = await propose(app, wallet, {
    optionalNamespaces: { ...requested, ...optional },
  })
  const extras = {
    sessionProperties: { capabilities: '{}' },
    scopedProperties: { eip155: { walletService: [] } },
    sessionConfig: { disableDeepLink: true },
  }
  const before = Math.floor(Date.now() / 1_000)
  const { topic, acknowledged } = await wallet.approve({ id, namespaces: granted, ...extras })
  const [session] = await Promise.all([approval(), acknowledged()])
  const [stored] = wallet.sessions()
  const publicKey = expect.stringMatching(/^[0-9a-f]{64}$/) as string
  expect(stored).toEqual({
    topic,
    pairingTopic,
    relay: { protocol: 'irn' },
    expiry: expect.any(Number) as number,
    acknowledged: true,
    controller: stored?.self.publicKey,
    namespaces: granted,
    requiredNamespaces: {},
    optionalNamespaces: { ...requested, ...optional },
    self: { publicKey, metadata: metadataOf('wallet') },
    peer: { publicKey, metadata: metadataOf('app') },
    transportType: 'relay',
    ...extras,
  })
  expect(stored!.self.publicKey).not.toBe(stored!.peer.publicKey)
  expect(stored!.expiry - before).toBeGreaterThanOrEqual(604_800)
  expect(stored!.expiry - before).toBeLessThan(604_860)
  expect(session).toEqual({ ...stored, self: stored!.peer, peer: stored!.self })
})

test('§9.10.2/3 every message is published with its ttl, tag and prompt', async () => {
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
  const first = await propose(app, wallet)
  await wallet.reject({ id: first.id, reason: { code: 5000, message: 'User rejected.' } })
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

test('§3.19.2 §3.19.3 a wallet’s pending proposal and request have the specified fields', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { id, pairingTopic, approval } = await propose(app, wallet)
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
      optionalNamespaces: requested,
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

test('§8.9.3 §4.18.7 errors name recently deleted records as recently deleted', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { id, pairingTopic } = await propose(app, wallet)
  await wallet.reject({ id, reason: { code: 5000, message: 'User rejected.' } })
  const { topic } = await settle(app, wallet)
  const deleted = next((listener) => wallet.on('session_delete', listener))
  await app.disconnect({ topic })
  await deleted
  await wallet.disconnect({ topic: pairingTopic })

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
  await expect(wallet.ping({ topic: pairingTopic })).rejects.toMatchObject(
    refused(`pairing: ${pairingTopic}`),
  )
})

test('§8.9.5/1 a wallet without a listener for proposals logs a warning', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const { uri } = await relay.create('app').connect({ optionalNamespaces: requested })
  const wallet = relay.create('wallet')
  await wallet.pair({ uri: uri ?? '' })
  await expect.poll(() => wallet.proposals()).toHaveLength(1)
  expect(warned.mock.calls).toEqual([[expect.stringContaining('No listener for session_proposal')]])
})

test('required namespaces are sent as optional namespaces, and an active pairing is reused', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const first = await propose(app, wallet, {
    requiredNamespaces: requested,
    optionalNamespaces: { 'eip155:10': { methods: ['eth_sign'], events: [] } },
    sessionProperties: { capability: '{}' },
    scopedProperties: { eip155: { wallet_sendCalls: true } },
  })
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
  await wallet.approve({ id: first.id, namespaces: granted })
  const { pairingTopic } = await first.approval()

  const second = await propose(app, wallet, { pairingTopic })
  expect(second.uri).toBeUndefined()
  await wallet.approve({ id: second.id, namespaces: granted })
  expect((await second.approval()).pairingTopic).toBe(pairingTopic)
  await wallet.ping({ topic: pairingTopic })
  await app.disconnect({ topic: pairingTopic })
  await expect.poll(() => wallet.pairings()).toEqual([])
})

test('a pairing that no wallet has used is not reused, because its URI may still be shown elsewhere', async () => {
  const app = relay.create('app')
  const connectWith = async (pairingTopic?: string) => {
    const proposal = await app.connect({ optionalNamespaces: requested, pairingTopic })
    proposal.approval().catch(() => {})
    return proposal.uri
  }
  const shown = await connectWith()
  await expect.poll(() => app.pairings()).toMatchObject([{ active: false }])
  const { topic } = app.pairings()[0]!
  expect(shown).toContain(`wc:${topic}@2`)
  const next = await connectWith(topic)
  expect(next).toMatch(/^wc:[0-9a-f]{64}@2/)
  expect(next).not.toContain(topic)
})

test('a listener that throws, or adds itself again, does not affect the other listeners', async () => {
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
  const received: string[] = []
  wallet.on('session_delete', () => {
    throw new Error('a page that fails')
  })
  const renew = () => {
    received.push('renewed')
    stop()
    if (received.length < 10) stop = wallet.on('session_delete', renew)
  }
  let stop = wallet.on('session_delete', renew)
  wallet.on('session_delete', () => received.push('last'))
  await app.disconnect({ topic })
  await expect.poll(() => received).toEqual(['renewed', 'last'])
  await expect.poll(() => thrown).toEqual(['a page that fails'])
})

describe('while the relay has not responded to an extension', () => {
  /** Connects a wallet that holds back messages with a tag until `release` is called. */
  async function hold(tag: number) {
    const held = { release: () => {} }
    class HoldingSocket extends WebSocket {
      override send(data: string) {
        if (data.includes(`"tag":${tag},`)) held.release = () => super.send(data)
        else super.send(data)
      }
    }
    const app = relay.create('app')
    const wallet = relay.create('wallet', { WebSocket: HoldingSocket })
    const { topic } = await settle(app, wallet)
    return { app, wallet, topic, held }
  }

  test('a session that the peer deletes stays deleted', async () => {
    const { app, wallet, topic, held } = await hold(1106)
    const extending = wallet.extend({ topic })
    await wallet.ping({ topic })
    await app.disconnect({ topic })
    await expect.poll(() => wallet.sessions()).toEqual([])
    held.release()
    await extending
    expect(wallet.sessions()).toEqual([])
  })

  test('an update is not overwritten', async () => {
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

test('an update that the relay rejects does not roll back a later update', async () => {
  let refuse = () => {}
  let isFirst = true
  class RefusingSocket extends WebSocket {
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
  const wallet = relay.create('wallet', { WebSocket: RefusingSocket })
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

test('a closed client rejects calls with an error that says so', async () => {
  const app = relay.create('app')
  const { approval } = await app.connect({ optionalNamespaces: requested })
  await app.close()
  await expect(approval()).rejects.toThrow('Not initialized. The sign client is closed.')
  await expect(app.ping({ topic: 'a' })).rejects.toThrow('Not initialized.')
})
