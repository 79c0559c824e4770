import { describe, test } from 'vitest'
import { fewPairings, granted, next, settle, sign, signing, type Version } from './clients.ts'
import { openGate } from './gate.ts'
import { useRelay, type OnFinished } from './relay.ts'

const relay = useRelay()

/** An app and a wallet, each behind a separate gate. */
async function openBehindGates(
  versions: { app: Version; wallet: Version },
  onFinished: OnFinished,
) {
  const gates = { app: await openGate(relay.port), wallet: await openGate(relay.port) }
  for (const gate of Object.values(gates)) onFinished(() => gate.stop())
  const app = await relay.open(versions.app, onFinished, { name: 'App', relayUrl: gates.app.url })
  const wallet = await relay.open(versions.wallet, onFinished, {
    name: 'Wallet',
    relayUrl: gates.wallet.url,
  })
  return { app, wallet, gates }
}

describe.each(fewPairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('a request waits for the wallet, and the response waits for the app', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, gates } = await openBehindGates(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    gates.wallet.cut()
    const received = next(wallet, 'session_request')
    const sent = next(app, 'session_request_sent')
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    await sent
    gates.app.cut()
    gates.wallet.open()
    const { id } = await received
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlate' } })
    gates.app.open()
    expect(await answer).toBe('0xlate')
  })

  test('messages sent while offline are published after the reconnect', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, gates } = await openBehindGates(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    gates.app.cut()
    await gates.app.rejected()
    const received = next(wallet, 'session_request')
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    gates.app.open()
    const { id } = await received
    gates.wallet.cut()
    await gates.wallet.rejected()
    const response = { id, jsonrpc: '2.0' as const, result: '0xqueued' }
    const responded = wallet.respond({ topic, response })
    gates.wallet.open()
    await responded
    expect(await answer).toBe('0xqueued')
  })

  test('a proposal waits for the wallet, and the approval waits for the app', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, gates } = await openBehindGates(versions, onTestFinished)
    const { uri, approval } = await app.connect({ optionalNamespaces: granted })
    const proposed = next(wallet, 'session_proposal')
    await wallet.pair({ uri: uri! })
    const { id } = await proposed
    gates.app.cut()
    const { topic } = await wallet.approve({ id, namespaces: granted })
    gates.app.open()
    expect(await approval()).toMatchObject({ topic, namespaces: granted })
    expect(await sign(app, wallet, topic)).toBe('0xsigned')
  })

  test.for(['app', 'wallet'] as const)(
    'the %s deletes the session while the other is offline',
    async (who, { expect, onTestFinished }) => {
      const { app, wallet, gates } = await openBehindGates(versions, onTestFinished)
      const { topic } = await settle(app, wallet)
      const [one, other] = who === 'app' ? [app, wallet] : [wallet, app]
      const offline = gates[who === 'app' ? 'wallet' : 'app']
      offline.cut()
      const received = next(other, 'session_delete')
      await one.disconnect({ topic })
      expect([one.sessions().length, other.sessions().length]).toEqual([0, 1])
      offline.open()
      expect(await received).toMatchObject({ topic })
      await expect.poll(() => other.sessions()).toEqual([])
    },
  )

  test('the app receives an update, an extension and an event that were sent while it was offline', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, gates } = await openBehindGates(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    gates.app.cut()
    const received = Promise.all([
      next(app, 'session_update'),
      next(app, 'session_extend'),
      next(app, 'session_event'),
    ])
    const namespaces = {
      eip155: { ...granted.eip155, methods: [...granted.eip155.methods, 'eth_sign'] },
    }
    const { acknowledged: updated } = await wallet.update({ topic, namespaces })
    const { acknowledged: extended } = await wallet.extend({ topic })
    const event = { name: 'chainChanged', data: 1 }
    await wallet.emit({ topic, chainId: 'eip155:1', event })
    gates.app.open()
    const [update, , emitted] = await received
    expect([update.params.namespaces, emitted.params.event]).toEqual([namespaces, event])
    await Promise.all([updated(), extended()])
    expect(app.sessions()[0]?.namespaces).toEqual(namespaces)
  })

  test('a message that was pushed to a dead socket is redelivered on the next socket', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, gates } = await openBehindGates(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    gates.wallet.freeze()
    const received = next(wallet, 'session_request')
    const sent = next(app, 'session_request_sent')
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    await sent
    gates.wallet.open()
    const { id } = await received
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xagain' } })
    expect(await answer).toBe('0xagain')
  })
})
