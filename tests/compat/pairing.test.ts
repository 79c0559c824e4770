import { describe, test } from 'vitest'
import {
  requested,
  granted,
  next,
  pairings,
  propose,
  settle,
  sign,
  type Client,
} from './clients.ts'
import { useRelay } from './relay.ts'

const relay = useRelay()

const topics = (client: Client) => client.pairings().map(({ topic }) => topic)

describe.each(pairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('each side pings the other over the pairing', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { pairingTopic: topic } = await settle(app, wallet)
    await Promise.all([app.ping({ topic }), wallet.ping({ topic })])
    expect([topics(app), topics(wallet)]).toEqual([[topic], [topic]])
  })

  test.for(['app', 'wallet'] as const)(
    'when the %s deletes the pairing, the session remains',
    async (who, { expect, onTestFinished }) => {
      const { app, wallet } = await relay.openBoth(versions, onTestFinished)
      const { topic, pairingTopic } = await settle(app, wallet)
      await (who === 'app' ? app : wallet).disconnect({ topic: pairingTopic })
      await expect.poll(() => [topics(app), topics(wallet)]).toEqual([[], []])
      expect(await sign(app, wallet, topic)).toBe('0xsigned')
    },
  )

  test('a wallet cannot pair with the same URI twice', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { proposal, approval, uri } = await propose(app, wallet)
    await wallet.approve({ id: proposal.id, namespaces: granted })
    const { pairingTopic } = await approval()
    await expect.poll(() => wallet.pairings().map(({ active }) => active)).toEqual([true])
    expect(topics(wallet)).toEqual([pairingTopic])
    await expect(wallet.pair({ uri: uri! })).rejects.toThrow(/Pairing already exists/)
  })

  test('after one wallet has received the proposal, another wallet can use the URI', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet: wrong } = await relay.openBoth(versions, onTestFinished)
    let shown = 0
    wrong.on('session_proposal', () => (shown += 1))
    const { uri, approval } = await propose(app, wrong)
    const wallet = await relay.open(versions.wallet, onTestFinished, { name: 'Right wallet' })
    const proposed = next(wallet, 'session_proposal')
    await wallet.pair({ uri: uri! })
    await wallet.approve({ id: (await proposed).id, namespaces: granted })
    const { topic } = await approval()
    expect(await sign(app, wallet, topic)).toBe('0xsigned')
    expect(shown).toBe(1)
  })

  test('an expired URI is rejected', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { uri } = await app.connect({ optionalNamespaces: requested })
    const old = uri!.replace(/expiryTimestamp=\d+/, 'expiryTimestamp=1700000000')
    await expect(wallet.pair({ uri: old })).rejects.toThrow(/expired/)
    expect(topics(wallet)).toEqual([])
  })

  test('wallets accept a URI that starts with wc: or wc://, or is encoded as Base64', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    for (const form of [
      (uri: string) => uri,
      (uri: string) => uri.replace('wc:', 'wc://'),
      (uri: string) => Buffer.from(uri).toString('base64'),
    ]) {
      const { uri } = await app.connect({ optionalNamespaces: requested })
      const proposed = next(wallet, 'session_proposal')
      await wallet.pair({ uri: form(uri!) })
      expect((await proposed).params.optionalNamespaces).toEqual(requested)
    }
  })

  test('after a rejection, the next proposal uses a new pairing', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const { proposal } = await propose(app, wallet)
    const { pairingTopic } = proposal.params
    await wallet.reject({ id: proposal.id, reason: { code: 5000, message: 'User rejected.' } })
    const again = await settle(app, wallet, { optionalNamespaces: requested })
    expect(again.pairingTopic).not.toBe(pairingTopic)
    expect(await sign(app, wallet, again.topic)).toBe('0xsigned')
  })
})

const ours = pairings.filter(({ app }) => app === 'gatefold')

describe.each(ours)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('no session remains if our app aborts while the wallet approves', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const abort = new AbortController()
    const { proposal, approval } = await propose(app, wallet, {
      optionalNamespaces: requested,
      signal: abort.signal,
    })
    abort.abort()
    await expect(approval()).rejects.toMatchObject({ name: 'AbortError' })
    await wallet.approve({ id: proposal.id, namespaces: granted })
    await expect.poll(() => [app.sessions(), wallet.sessions()]).toEqual([[], []])
    const { topic } = await settle(app, wallet)
    expect(await sign(app, wallet, topic)).toBe('0xsigned')
  })
})
