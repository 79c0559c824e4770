import { startServer, type RunningServer } from '@gatefold/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  appVersions,
  next,
  openApp,
  openWallet,
  walletVersions,
  type OfficialApp,
  type OfficialWallet,
} from './officialClients.ts'

const account = 'eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = 'eip155:10:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const offered = {
  methods: ['personal_sign'],
  chains: ['eip155:1', 'eip155:10'],
  events: ['accountsChanged'],
}
const approved = { eip155: { ...offered, chains: ['eip155:1'], accounts: [account] } }
const updated = { eip155: { ...offered, accounts: [account, second] } }

let server: RunningServer
let relayUrl: string
beforeAll(async () => {
  server = await startServer({
    port: 0,
    dataDir: ':memory:',
    rpcUrls: {},
    logLevel: 'silent',
    shutdownSeconds: 1,
  })
  relayUrl = server.url.replace('http', 'ws')
})
afterAll(() => server.stop())

const pairings = appVersions.flatMap((app) => walletVersions.map((wallet) => ({ app, wallet })))

describe.each(pairings)('app $app with wallet $wallet', (versions) => {
  let app: OfficialApp
  let wallet: OfficialWallet
  afterEach(async () => {
    await app.close()
    await wallet.close()
  })

  test('§7.14.1 pair, approve, request, respond, ping, update, extend, event, delete', async () => {
    app = await openApp(versions.app, { relayUrl })
    wallet = await openWallet(versions.wallet, { relayUrl })

    const { uri, approval } = await app.client.connect({ optionalNamespaces: { eip155: offered } })
    const proposal = next(wallet.client, 'session_proposal')
    await wallet.pair(uri!)
    const topic = await wallet.approve((await proposal).id, approved)
    const session = await approval()
    expect(session).toMatchObject({ topic, namespaces: approved })

    const asked = next(wallet.client, 'session_request')
    const answer = app.client.request<string>({
      topic,
      chainId: 'eip155:1',
      request: { method: 'personal_sign', params: ['0x68656c6c6f', account.split(':')[2]] },
    })
    const request = await asked
    expect(request.params.request).toMatchObject({ method: 'personal_sign' })
    await wallet.respond(topic, { id: request.id, jsonrpc: '2.0', result: '0xsigned' })
    expect(await answer).toBe('0xsigned')

    const pinged = next(wallet.client, 'session_ping')
    await app.client.ping({ topic })
    await pinged

    const update = next(app.client, 'session_update')
    await (await wallet.update(topic, updated)).acknowledged()
    expect(await update).toMatchObject({ topic, params: { namespaces: updated } })
    expect(app.client.session.get(topic).namespaces).toEqual(updated)

    const extend = next(app.client, 'session_extend')
    const before = app.client.session.get(topic).expiry
    await (await wallet.extend(topic)).acknowledged()
    await extend
    expect(app.client.session.get(topic).expiry).toBeGreaterThanOrEqual(before)

    const event = next(app.client, 'session_event')
    await wallet.emit(topic, 'eip155:1', { name: 'accountsChanged', data: [account] })
    expect(await event).toMatchObject({ params: { event: { name: 'accountsChanged' } } })

    const gone = next(app.client, 'session_delete')
    await wallet.disconnect(topic)
    await gone
    await expect.poll(() => app.client.session.keys).toEqual([])
    expect(wallet.client.session.keys).toEqual([])
  })
})
