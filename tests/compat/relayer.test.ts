import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'vitest'
import { openOfficial, type Official } from './officialClients.ts'
import { useRelay, type OnFinished } from './relay.ts'

const relay = useRelay()

type Core = Official['client']['core']
type Message = { topic: string; message: string; publishedAt: number; attestation?: string }

async function openCore(
  version: '2.21.3' | '2.21.8',
  onFinished: OnFinished,
  options = {},
): Promise<Core> {
  const { url: relayUrl, httpUrl: verifyUrl } = relay
  const { client, close } = await openOfficial(version, { relayUrl, verifyUrl, ...options })
  onFinished(close)
  return client.core
}

const newTopic = () => randomBytes(32).toString('hex')

/** Collects the messages of a relayer. */
function collect(core: Core) {
  const received: Message[] = []
  core.relayer.on('relayer_message', (message: Message) => received.push(message))
  return received
}

/**
 * Subscribes to the first topic separately, because a core without a socket
 * opens one for each concurrent call.
 */
async function subscribeAll(core: Core, topics: string[]) {
  await core.relayer.subscribe(topics[0]!)
  await Promise.all(topics.slice(1).map((topic) => core.relayer.subscribe(topic)))
}

const texts = (received: Message[]) => received.map(({ message }) => message)
const sending = { ttl: 300, tag: 1108, prompt: false }

describe.each(['2.21.3', '2.21.8'] as const)(
  'the relayer of core %s',
  { concurrent: true },
  (version) => {
    test('publishes, and receives messages once and in order', async ({
      expect,
      onTestFinished,
    }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const topic = newTopic()
      const id = await other.relayer.subscribe(topic)
      const clientId = await other.crypto.getClientId()
      expect(id).toBe(sha256(topic + clientId))
      const received = collect(other)
      const own = collect(one)
      await one.relayer.subscribe(topic)
      for (const text of ['a', 'b', 'b', 'ğ🦊', 'x'.repeat(500_000)])
        await one.relayer.publish(topic, text, sending)
      await expect.poll(() => received.length).toBe(4)
      expect(texts(received)).toEqual(['a', 'b', 'ğ🦊', 'x'.repeat(500_000)])
      expect(received[0]).toMatchObject({ topic, publishedAt: expect.closeTo(Date.now(), -5) })
      expect(own).toEqual([])
    })

    test('receives nothing on a topic after unsubscribing', async ({ expect, onTestFinished }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const [unsubscribed, subscribed] = [newTopic(), newTopic()]
      const received = collect(other)
      await subscribeAll(other, [unsubscribed, subscribed])
      await other.relayer.unsubscribe(unsubscribed)
      await one.relayer.publish(unsubscribed, 'left', sending)
      await one.relayer.publish(subscribed, 'kept', sending)
      await expect.poll(() => texts(received)).toEqual(['kept'])
      expect(other.relayer.subscriber.topics).toEqual([subscribed])
    })

    test('resubscribes after a reconnect and receives pending messages', async ({
      expect,
      onTestFinished,
    }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const topics = Array.from({ length: 40 }, newTopic)
      await subscribeAll(other, topics)
      const received = collect(other)
      await other.relayer.transportClose()
      for (const index of [0, 20, 39])
        await one.relayer.publish(topics[index]!, `${index}`, sending)
      await other.relayer.transportOpen()
      await expect.poll(() => new Set(texts(received))).toEqual(new Set(['0', '20', '39']))
      expect(new Set(other.relayer.subscriber.topics)).toEqual(new Set(topics))
    })

    test('subscribes to 500 topics in one request, and unsubscribes', async ({
      expect,
      onTestFinished,
    }) => {
      const core = await openCore(version, onTestFinished)
      const clientId = await core.crypto.getClientId()
      const topics = Array.from({ length: 500 }, newTopic)
      const request = (method: string, params: unknown) =>
        core.relayer.request({ method, params } as never)
      const ids = await request('irn_batchSubscribe', { topics })
      expect(ids).toEqual(topics.map((topic) => sha256(topic + clientId)))
      const subscriptions = topics.map((topic) => ({ topic, id: sha256(topic + clientId) }))
      expect(await request('irn_batchUnsubscribe', { subscriptions })).toBe(true)
    })

    test('switches to another relay URL', async ({ expect, onTestFinished }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const topic = newTopic()
      await other.relayer.subscribe(topic)
      const received = collect(other)
      await other.relayer.restartTransport(`${relay.url}/`)
      await one.relayer.publish(topic, 'there', sending)
      await expect.poll(() => texts(received)).toEqual(['there'])
    })

    test('fetches pending messages over its socket and over HTTP', async ({
      expect,
      onTestFinished,
    }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const topics = [newTopic(), newTopic()]
      await one.relayer.publish(topics[0]!, 'first', sending)
      await one.relayer.publish(topics[1]!, 'second', sending)
      const waiting = topics.map((topic, index) => ({
        topic,
        message: ['first', 'second'][index],
        tag: 1108,
        publishedAt: expect.any(Number) as number,
      }))
      const request = { method: 'irn_batchFetchMessages', params: { topics } }
      const overSocket = await other.relayer.request(request as never)
      expect(overSocket).toEqual({ messages: waiting, hasMore: false })

      const auth = await other.crypto.signJWT(relay.url)
      const overHttp = await callRpc(auth, 'irn_fetchMessages', { topic: topics[0] })
      expect(overHttp).toEqual({ messages: [waiting[0]], hasMore: false })
    })

    test('receives messages published over HTTP', async ({ expect, onTestFinished }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const topic = newTopic()
      const received = collect(other)
      await other.relayer.subscribe(topic)
      const auth = await one.crypto.signJWT(relay.url)
      const publish = { topic, message: 'by post', ...sending }
      expect(await callRpc(auth, 'irn_publish', publish)).toBe(true)
      await expect.poll(() => texts(received)).toEqual(['by post'])
    })

    test('creates a pairing, pairs, pings and disconnects', async ({ expect, onTestFinished }) => {
      const [one, other] = await Promise.all([
        openCore(version, onTestFinished),
        openCore(version, onTestFinished),
      ])
      const { topic, uri } = await one.pairing.create()
      await other.pairing.pair({ uri, activatePairing: true })
      await other.pairing.ping({ topic })
      await one.pairing.ping({ topic })
      await other.pairing.disconnect({ topic })
      await expect.poll(() => one.pairing.getPairings()).toEqual([])
    })

    test('§3.19.4 receives the reason of a refusal', async ({ expect, onTestFinished }) => {
      const core = await openCore(version, onTestFinished, { projectId: 'f'.repeat(32) })
      const refused = new Promise<Error>((resolve) => core.relayer.once('relayer_error', resolve))
      core.relayer.subscribe(newTopic()).catch(() => {})
      expect((await refused).message).toBe(
        'WebSocket connection closed abnormally with code: 3000 (Unauthorized: invalid key)',
      )
    })
  },
)

async function callRpc(auth: string, method: string, params: unknown) {
  const response = await fetch(`${relay.httpUrl}/rpc?auth=${auth}&projectId=default`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: '1795230077407321600', jsonrpc: '2.0', method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}

function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex')
}
