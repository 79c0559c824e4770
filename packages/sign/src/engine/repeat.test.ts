import { afterEach, expect, test } from 'vitest'
import { createSymKey, hashKey } from '../crypto/keys.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { systemClock } from '../systemClock.ts'
import { startScriptedRelay } from '../testing/startScriptedRelay.ts'
import { createIds } from './Context.ts'
import { startEngine } from './startEngine.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/**
 * Starts a relay that does not respond to proposals and publishes until `answer` is called. The engines that
 * `start` creates share a store.
 */
async function startTabs() {
  let silent = true
  const scripted = await startScriptedRelay(({ method }) =>
    silent && /propose|publish/.test(method) ? undefined : { result: true },
  )
  ends.push(() => scripted.close())
  const storage = createMemoryStore()
  const symKey = createSymKey()
  const topic = await hashKey(symKey)
  return {
    pairing: { topic, symKey, expiry: Math.floor(Date.now() / 1_000) + 300 },
    start: async () => {
      const metadata = { name: '', description: '', url: '', icons: [] }
      const options = { relayUrl: scripted.url, metadata, storage, clock: systemClock }
      const engine = await startEngine(options, { onEvent: () => {}, onChange: () => {} })
      ends.push(() => engine.close())
      return engine
    },
    answer: () => (silent = false),
    sent: (name: string) => scripted.requests.filter(({ method }) => method === name),
    stored: async <item>(name: string) => {
      const text = (await storage.getItem(`wc@2:${name}`)) ?? '[]'
      return JSON.parse(text) as item[]
    },
  }
}

test('a proposal that the relay has not stored is sent by the next tab’s engine', async () => {
  const { pairing, start, answer, sent, stored } = await startTabs()
  const proposer = async () =>
    (await stored<{ proposer: object }>('client:0.3//proposal')).map((it) => it.proposer)
  const command = {
    type: 'connect' as const,
    id: createIds(systemClock)(),
    pairing,
    pairingTopic: pairing.topic,
    optionalNamespaces: {},
    relays: [{ protocol: 'irn' }],
  }
  const proposals = () => sent('wc_proposeSession')

  const first = await start()
  void first.run(command)
  await expect.poll(() => proposals().length).toBe(1)
  const before = await proposer()
  await first.close()
  answer()
  const second = await start()
  expect(await second.run(command)).toEqual({ result: undefined })
  expect(proposals()).toHaveLength(2)
  // A wallet may have received the first copy, so the key for its response must not change.
  expect(await proposer()).toEqual(before)
  expect(await second.run(command)).toEqual({ result: undefined })
  expect(proposals()).toHaveLength(2)
})

test('a sign-in request that the relay has not stored is sent by the next tab’s engine', async () => {
  const { pairing, start, answer, sent, stored } = await startTabs()
  const nextId = createIds(systemClock)
  const command = {
    type: 'authenticate' as const,
    id: nextId(),
    proposalId: nextId(),
    pairing,
    pairingTopic: pairing.topic,
    methods: [],
    authPayload: {
      type: 'caip122' as const,
      chains: ['eip155:1'],
      domain: 'app.example',
      aud: 'https://app.example',
      version: '1' as const,
      nonce: 'f0e1d2c3b4a59687',
      iat: new Date().toISOString(),
    },
    expiry: 3_600,
  }
  const signInRequests = async () =>
    (await stored<{ request: { method: string; params: object } }>('core:0.3//history'))
      .map(({ request }) => request)
      .filter(({ method }) => method === 'wc_sessionAuthenticate')
  const counts = () => [sent('irn_publish').length, sent('wc_proposeSession').length]

  const first = await start()
  void first.run(command)
  await expect.poll(counts).toEqual([1, 1])
  const before = await signInRequests()
  await first.close()
  answer()
  const second = await start()
  expect(await second.run(command)).toEqual({ result: undefined })
  expect(counts()).toEqual([2, 2])
  // A wallet may have received the first copy, so the key for its response must not change.
  expect([before.length, await signInRequests()]).toEqual([1, before])
  expect(await second.run(command)).toEqual({ result: undefined })
  expect(counts()).toEqual([2, 2])
})

test('a proposal that is aborted before the relay responds is kept, because a wallet may have received it', async () => {
  const { pairing, start, sent, stored } = await startTabs()
  const id = createIds(systemClock)()
  const engine = await start()
  void engine.run({
    type: 'connect',
    id,
    pairing,
    pairingTopic: pairing.topic,
    optionalNamespaces: {},
    relays: [{ protocol: 'irn' }],
  })
  await expect.poll(() => sent('wc_proposeSession').length).toBe(1)
  await engine.run({ type: 'abort', id })
  expect(await stored('client:0.3//proposal')).toMatchObject([{ id, withdrawn: true }])
})
