import { describe, test } from 'vitest'
import {
  account,
  address,
  requested,
  granted,
  next,
  pairings,
  propose,
  rejectionOf,
  sessionOf,
  settle,
  sign,
  signing,
  userRejected,
} from './clients.ts'
import { metadataOf } from './officialClients.ts'
import { useRelay } from './relay.ts'

const relay = useRelay()

describe.each(pairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('§7.14.1 §3.19.1 pairing, approval and settlement give both sides the same session', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const connected = next(app, 'session_connect')
    const { proposal, approval, uri } = await propose(app, wallet)
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    expect(proposal).toMatchObject({
      params: {
        id: proposal.id,
        proposer: { metadata: { name: 'App', url: metadataOf({ name: 'App' }).url } },
        relays: [{ protocol: 'irn' }],
      },
      verifyContext: { verified: { validation: 'UNKNOWN' } },
    })
    expect(wallet.proposals().map(({ id }) => id)).toEqual([proposal.id])
    const { topic, acknowledged } = await wallet.approve({
      id: proposal.id,
      namespaces: granted,
    })
    const session = await approval()
    await acknowledged()
    expect(session).toMatchObject({
      topic,
      namespaces: granted,
      acknowledged: true,
      relay: { protocol: 'irn' },
      pairingTopic: proposal.params.pairingTopic,
      self: { metadata: { name: 'App', url: metadataOf({ name: 'App' }).url } },
      peer: { metadata: { name: 'Wallet', description: 'Wallet of a test' } },
      transportType: 'relay',
    })
    expect((await connected).session.topic).toBe(topic)
    await expect.poll(() => sessionOf(wallet, topic)?.acknowledged).toBe(true)
    const { self, peer, controller, expiry } = sessionOf(wallet, topic)!
    expect({ self: peer, peer: self, controller }).toEqual({
      self: session.self,
      peer: session.peer,
      controller: session.controller,
    })
    // The two sides may calculate the expiry at slightly different times.
    expect(Math.abs(expiry - session.expiry)).toBeLessThan(60)
    await expect.poll(() => [app.proposals(), wallet.proposals()]).toEqual([[], []])
    for (const client of [app, wallet])
      await expect
        .poll(() => client.pairings().map(({ active, topic }) => [active, topic]))
        .toEqual([[true, session.pairingTopic]])
  })

  test('each side pings the other', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received = [next(wallet, 'session_ping'), next(app, 'session_ping')]
    await Promise.all([app.ping({ topic }), wallet.ping({ topic })])
    expect(await Promise.all(received)).toMatchObject([{ topic }, { topic }])
  })

  test('the app can use a chain that the wallet has just added', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const namespaces = {
      eip155: { ...requested.eip155, accounts: [account, `eip155:10:${address}`] },
    }
    const received = next(app, 'session_update')
    await (await wallet.update({ topic, namespaces })).acknowledged()
    expect(await received).toMatchObject({ topic, params: { namespaces } })
    await expect
      .poll(() => [app, wallet].map((client) => sessionOf(client, topic)?.namespaces))
      .toEqual([namespaces, namespaces])
    const request = next(wallet, 'session_request')
    const answer = app.request({ topic, chainId: 'eip155:10', request: signing })
    const { id } = await request
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xten' } })
    expect(await answer).toBe('0xten')
  })

  test.for(['app', 'wallet'] as const)(
    'the %s extends the session',
    async (who, { expect, onTestFinished }) => {
      const both = await relay.openBoth(versions, onTestFinished)
      const { app, wallet } = both
      const { topic, expiry } = await settle(app, wallet)
      const peer = who === 'app' ? wallet : app
      const received = next(peer, 'session_extend')
      await (await both[who].extend({ topic })).acknowledged()
      expect(await received).toMatchObject({ topic })
      expect(sessionOf(peer, topic)?.expiry).toBeGreaterThanOrEqual(expiry)
      const expiries = [app, wallet].map((client) => sessionOf(client, topic)!.expiry)
      expect(Math.abs(expiries[0]! - expiries[1]!)).toBeLessThan(60)
    },
  )

  test('the wallet emits events', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received = next(app, 'session_event')
    const event = { name: 'accountsChanged', data: [address] }
    await wallet.emit({ topic, chainId: 'eip155:1', event })
    expect(await received).toMatchObject({ topic, params: { chainId: 'eip155:1', event } })
  })

  test.for(['app', 'wallet'] as const)(
    'the %s ends the session',
    async (who, { expect, onTestFinished }) => {
      const { app, wallet } = await relay.openBoth(versions, onTestFinished)
      const { topic } = await settle(app, wallet)
      const [one, other] = who === 'app' ? [app, wallet] : [wallet, app]
      const received = next(other, 'session_delete')
      await one.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
      expect(await received).toMatchObject({ topic })
      await expect.poll(() => [app.sessions(), wallet.sessions()]).toEqual([[], []])
      const request = { topic, chainId: 'eip155:1', request: signing }
      await expect(app.request(request)).rejects.toThrow(
        `Record was recently deleted - session: ${topic}`,
      )
    },
  )

  test('a pending request is rejected when the wallet disconnects', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received = next(wallet, 'session_request')
    const refused = rejectionOf(app.request({ topic, chainId: 'eip155:1', request: signing }))
    await received
    await wallet.disconnect({ topic })
    expect(await refused).toMatchObject({ message: expect.stringMatching(/disconnected/i) })
  })

  test('a second session can use the same pairing', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { pairingTopic, topic } = await settle(app, wallet)
    await expect.poll(() => app.pairings()[0]?.active).toBe(true)
    const again = await propose(app, wallet, { pairingTopic, optionalNamespaces: requested })
    expect(again.uri).toBeUndefined()
    await wallet.approve({ id: again.proposal.id, namespaces: granted })
    const second = await again.approval()
    expect(second.topic).not.toBe(topic)
    expect(second.pairingTopic).toBe(pairingTopic)
    expect(await sign(app, wallet, second.topic)).toBe('0xsigned')
    expect(await sign(app, wallet, topic)).toBe('0xsigned')
  })

  test('§4.18.2 after the wallet has rejected, the next attempt succeeds', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { proposal, approval } = await propose(app, wallet)
    const failed = rejectionOf(approval())
    await wallet.reject({ id: proposal.id, reason: userRejected })
    expect(await failed).toMatchObject(userRejected)
    await expect.poll(() => [app.proposals(), wallet.proposals()]).toEqual([[], []])
    expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
    const { topic } = await settle(app, wallet)
    expect(await sign(app, wallet, topic)).toBe('0xsigned')
  })

  test('an app has sessions with two wallets, and a wallet with two apps', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const others = await relay.openBoth(versions, onTestFinished)
    const sessions = [
      await settle(app, wallet),
      await settle(app, others.wallet),
      await settle(others.app, wallet),
    ]
    expect(new Set(sessions.map(({ topic }) => topic)).size).toBe(3)
    const answers = await Promise.all([
      sign(app, others.wallet, sessions[1]!.topic, '0xb'),
      sign(others.app, wallet, sessions[2]!.topic, '0xc'),
    ])
    expect(answers).toEqual(['0xb', '0xc'])
    await app.disconnect({ topic: sessions[0]!.topic })
    await expect
      .poll(() => wallet.sessions().map(({ topic }) => topic))
      .toEqual([sessions[2]!.topic])
    expect(await sign(others.app, wallet, sessions[2]!.topic, '0xd')).toBe('0xd')
  })
})
