import { startServer } from '@gatefold/server'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startRedis, whyNoRedis, type Redis } from '../redis.ts'
import {
  fewPairings,
  granted,
  next,
  openClient,
  propose,
  sign,
  signing,
  type Version,
} from './clients.ts'
import type { OnFinished } from './relay.ts'

const skip = await whyNoRedis()

/**
 * The id of an official client's request is the time in ms followed by three random digits. If ten
 * requests are created in the same millisecond, two of them have the same id in about one of twenty
 * runs, and the second is dropped as a duplicate.
 */
async function nextMillisecond() {
  const now = Date.now()
  while (Date.now() === now) await new Promise(setImmediate)
}

describe.skipIf(skip)('two relays over one Redis', () => {
  let redis: Redis
  let relays: Awaited<ReturnType<typeof startServer>>[] = []
  beforeAll(async () => {
    redis = await startRedis()
    const start = () =>
      startServer({
        roles: ['relay'],
        port: 0,
        dataDir: ':memory:',
        redisUrls: [redis.url],
        rpcUrls: {},
        logLevel: 'silent',
        shutdownSeconds: 1,
      })
    relays = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(relays.map((relay) => relay.stop()))
    await redis.stop()
  })

  async function openOnBoth(versions: { app: Version; wallet: Version }, onFinished: OnFinished) {
    const open = (version: Version, name: string, { port }: { port: number }) =>
      openClient(version, { relayUrl: `ws://localhost:${port}`, name })
    const app = await open(versions.app, 'App', relays[0]!)
    const wallet = await open(versions.wallet, 'Wallet', relays[1]!)
    onFinished(() => app.close())
    onFinished(() => wallet.close())
    return { app, wallet }
  }

  describe.each(fewPairings)(
    'app $app on one, wallet $wallet on the other',
    { concurrent: true },
    (versions) => {
      test('a session works from the URI to the deletion', async ({ expect, onTestFinished }) => {
        const { app, wallet } = await openOnBoth(versions, onTestFinished)
        const { proposal, approval } = await propose(app, wallet)
        const { topic } = await wallet.approve({ id: proposal.id, namespaces: granted })
        expect((await approval()).topic).toBe(topic)
        expect(await sign(app, wallet, topic)).toBe('0xsigned')
        await Promise.all([app.ping({ topic }), wallet.ping({ topic })])
        const received = next(app, 'session_event')
        const event = { name: 'chainChanged', data: 1 }
        await wallet.emit({ topic, chainId: 'eip155:1', event })
        expect((await received).params.event).toEqual(event)
        await app.disconnect({ topic })
        await expect.poll(() => wallet.sessions()).toEqual([])
      })

      test('many requests can be pending at once', async ({ expect, onTestFinished }) => {
        const { app, wallet } = await openOnBoth(versions, onTestFinished)
        const { proposal, approval } = await propose(app, wallet)
        await wallet.approve({ id: proposal.id, namespaces: granted })
        const { topic } = await approval()
        const answers: Promise<number>[] = []
        for (let count = 0; count < 10; count += 1) {
          answers.push(app.request<number>({ topic, chainId: 'eip155:1', request: signing }))
          await nextMillisecond()
        }
        await expect.poll(() => wallet.pendingRequests().length).toBe(10)
        const ids = wallet.pendingRequests().map(({ id }) => id)
        for (const id of ids)
          await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: id } })
        expect(new Set(await Promise.all(answers))).toEqual(new Set(ids))
      })
    },
  )
})
