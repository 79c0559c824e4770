import { describe, test } from 'vitest'
import {
  createStore,
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

const relay = useRelay()

/** Opens a client. `replaceWith` closes it and opens another version on the same storage. */
async function openWithStorage(version: Version, onFinished: OnFinished, name: string) {
  const store = createStore()
  const open = (make: Version) =>
    openClient(make, { relayUrl: relay.url, verifyUrl: relay.httpUrl, name, store })
  const holder = {
    client: await open(version),
    async replaceWith(make: Version) {
      await holder.client.close()
      holder.client = await open(make)
    },
  }
  onFinished(() => holder.client.close())
  return holder
}

const topics = (client: Client) => client.sessions().map(({ topic }) => topic)

const changes = [
  { from: '2.21.3', to: 'gatefold' },
  { from: '2.21.8', to: 'gatefold' },
  { from: 'gatefold', to: '2.21.3' },
  { from: 'gatefold', to: '2.21.8' },
] as const satisfies { from: Version; to: Version }[]

describe.each(changes)(
  '§7.15.1 from $from to $to on the same storage',
  { concurrent: true },
  ({ from, to }) => {
    test('an app keeps its session', async ({ expect, onTestFinished }) => {
      const app = await openWithStorage(from, onTestFinished, 'App')
      const wallet = await relay.open('walletkit', onTestFinished, { name: 'Wallet' })
      const { topic } = await settle(app.client, wallet)
      const clientId = await app.client.clientId()
      await app.replaceWith(to)
      expect(await app.client.clientId()).toBe(clientId)
      expect(topics(app.client)).toEqual([topic])
      expect(await sign(app.client, wallet, topic)).toBe('0xsigned')
      await wallet.ping({ topic })
      const received = next(app.client, 'session_event')
      const event = { name: 'chainChanged', data: 1 }
      await wallet.emit({ topic, chainId: 'eip155:1', event })
      expect((await received).params.event).toEqual(event)
      await app.client.disconnect({ topic })
      await expect.poll(() => topics(wallet)).toEqual([])
    })

    test('a wallet keeps its session and its pending request', async ({
      expect,
      onTestFinished,
    }) => {
      const app = await relay.open('2.21.8', onTestFinished, { name: 'App' })
      const wallet = await openWithStorage(from, onTestFinished, 'Wallet')
      const { topic } = await settle(app, wallet.client)
      const received = next(wallet.client, 'session_request')
      const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
      const { id } = await received
      await wallet.replaceWith(to)
      expect(topics(wallet.client)).toEqual([topic])
      expect(wallet.client.pendingRequests().map((request) => request.id)).toEqual([id])
      await wallet.client.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xkept' } })
      expect(await answer).toBe('0xkept')
      await app.ping({ topic })
      await (await wallet.client.extend({ topic })).acknowledged()
      await wallet.client.disconnect({ topic })
      await expect.poll(() => topics(app)).toEqual([])
    })

    test('a wallet keeps its pending proposal', async ({ expect, onTestFinished }) => {
      const app = await relay.open('2.21.3', onTestFinished, { name: 'App' })
      const wallet = await openWithStorage(from, onTestFinished, 'Wallet')
      const { proposal, approval } = await propose(app, wallet.client)
      await wallet.replaceWith(to)
      expect(wallet.client.proposals().map(({ id }) => id)).toEqual([proposal.id])
      const { topic } = await wallet.client.approve({ id: proposal.id, namespaces: granted })
      expect((await approval()).topic).toBe(topic)
    })

    test('an app gets the response to an earlier request', async ({ expect, onTestFinished }) => {
      const app = await openWithStorage(from, onTestFinished, 'App')
      const wallet = await relay.open('2.21.8', onTestFinished, { name: 'Wallet' })
      const { topic } = await settle(app.client, wallet)
      const received = next(wallet, 'session_request')
      app.client.request({ topic, chainId: 'eip155:1', request: signing }).catch(() => {})
      const { id } = await received
      await app.replaceWith(to)
      await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlate' } })
      // An official client cannot resume requests that it sent before a restart.
      if (app.client.ours) expect(await app.client.ours.resume({ id })).toBe('0xlate')
      expect(await sign(app.client, wallet, topic)).toBe('0xsigned')
    })

    test('an app gets a session that is approved after the replacement', async ({
      expect,
      onTestFinished,
    }) => {
      const app = await openWithStorage(from, onTestFinished, 'App')
      const wallet = await relay.open('2.21.8', onTestFinished, { name: 'Wallet' })
      const { proposal, approval } = await propose(app.client, wallet)
      // Our client rejects the approval when it is closed.
      approval().catch(() => {})
      await app.replaceWith(to)
      const { topic } = await wallet.approve({ id: proposal.id, namespaces: granted })
      await expect.poll(() => topics(app.client)).toEqual([topic])
      expect(await sign(app.client, wallet, topic)).toBe('0xsigned')
    })
  },
)
