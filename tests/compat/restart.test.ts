import { describe, test } from 'vitest'
import {
  createStore,
  fewPairings,
  granted,
  next,
  openClient,
  propose,
  settle,
  sign,
  signing,
  type Client,
  type Version,
} from './clients.ts'
import { useRelay, type OnFinished } from './relay.ts'

/** Opens a client that can be killed, and restarted with its storage. */
async function openWithStorage(
  version: Version,
  onFinished: OnFinished,
  relayUrl: string,
  name: string,
) {
  const store = createStore()
  const open = () => openClient(version, { relayUrl, verifyUrl: relay.httpUrl, name, store })
  const it = {
    client: await open(),
    async restart() {
      await it.client.close()
      it.client = await open()
    },
  }
  onFinished(() => it.client.close())
  return it
}

const relay = useRelay()

async function openBoth(versions: { app: Version; wallet: Version }, onFinished: OnFinished) {
  const [app, wallet] = await Promise.all([
    openWithStorage(versions.app, onFinished, relay.url, 'App'),
    openWithStorage(versions.wallet, onFinished, relay.url, 'Wallet'),
  ])
  return { app, wallet }
}

const topics = (client: Client) => client.sessions().map(({ topic }) => topic)

describe.each(fewPairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('both sides still have the session after a restart', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { topic } = await settle(app.client, wallet.client)
    const ids = await Promise.all([app.client.clientId(), wallet.client.clientId()])
    await Promise.all([app.restart(), wallet.restart()])
    expect(await Promise.all([app.client.clientId(), wallet.client.clientId()])).toEqual(ids)
    expect([topics(app.client), topics(wallet.client)]).toEqual([[topic], [topic]])
    expect(await sign(app.client, wallet.client, topic)).toBe('0xsigned')
    const received = next(wallet.client, 'session_delete')
    await app.client.disconnect({ topic })
    await received
  })

  test('the wallet can approve a pending proposal after a restart', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { proposal, approval } = await propose(app.client, wallet.client)
    await wallet.restart()
    expect(wallet.client.proposals().map(({ id }) => id)).toEqual([proposal.id])
    const { topic } = await wallet.client.approve({ id: proposal.id, namespaces: granted })
    expect((await approval()).topic).toBe(topic)
    expect(await sign(app.client, wallet.client, topic)).toBe('0xsigned')
  })

  test('the app gets the session if it restarts before the wallet approves', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { proposal } = await propose(app.client, wallet.client)
    await app.restart()
    const { topic } = await wallet.client.approve({ id: proposal.id, namespaces: granted })
    await expect.poll(() => topics(app.client)).toEqual([topic])
    expect(await sign(app.client, wallet.client, topic)).toBe('0xsigned')
  })

  test('the app gets the session after a restart if it was closed when the wallet approved', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { proposal } = await propose(app.client, wallet.client)
    await app.client.close()
    const { topic } = await wallet.client.approve({ id: proposal.id, namespaces: granted })
    await app.restart()
    await expect.poll(() => topics(app.client)).toEqual([topic])
    expect(await sign(app.client, wallet.client, topic)).toBe('0xsigned')
  })

  test('the wallet can respond to a pending request after a restart', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { topic } = await settle(app.client, wallet.client)
    const received = next(wallet.client, 'session_request')
    const answer = app.client.request({ topic, chainId: 'eip155:1', request: signing })
    const { id } = await received
    await wallet.restart()
    expect(wallet.client.pendingRequests().map((request) => request.id)).toEqual([id])
    await wallet.client.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xkept' } })
    expect(await answer).toBe('0xkept')
    await expect.poll(() => wallet.client.pendingRequests()).toEqual([])
  })

  test('the wallet receives a request and a disconnect that were sent while it was closed', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { topic } = await settle(app.client, wallet.client)
    await wallet.client.close()
    const sent = next(app.client, 'session_request_sent')
    const answer = app.client.request({ topic, chainId: 'eip155:1', request: signing })
    const { id } = await sent
    await wallet.restart()
    await expect.poll(() => wallet.client.pendingRequests().map((one) => one.id)).toEqual([id])
    await wallet.client.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlate' } })
    expect(await answer).toBe('0xlate')

    await wallet.client.close()
    await app.client.disconnect({ topic })
    await wallet.restart()
    await expect.poll(() => topics(wallet.client)).toEqual([])
  })

  test('the session still works if the app was closed when the wallet responded', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await openBoth(versions, onTestFinished)
    const { topic } = await settle(app.client, wallet.client)
    const received = next(wallet.client, 'session_request')
    // This response is lost; our client rejects the promise when it is closed.
    app.client.request({ topic, chainId: 'eip155:1', request: signing }).catch(() => {})
    const { id } = await received
    await app.client.close()
    await wallet.client.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlost' } })
    await app.restart()
    expect(await sign(app.client, wallet.client, topic)).toBe('0xsigned')
  })
})
