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

test('a proposal whose tab went before the relay took it is sent by the next one', async () => {
  let silent = true
  const scripted = await startScriptedRelay(() => (silent ? undefined : { result: true }))
  ends.push(() => scripted.close())
  const storage = createMemoryStore()
  async function start() {
    const metadata = { name: '', description: '', url: '', icons: [] }
    const options = { relayUrl: scripted.url, metadata, storage, clock: systemClock }
    const engine = await startEngine(options, { event: () => {}, changed: () => {} })
    ends.push(() => engine.close())
    return engine
  }
  const proposer = async () => {
    const stored = (await storage.getItem('wc@2:client:0.3//proposal')) ?? '[]'
    return (JSON.parse(stored) as { proposer: { publicKey: string } }[]).map((it) => it.proposer)
  }
  const symKey = createSymKey()
  const topic = await hashKey(symKey)
  const command = {
    type: 'connect' as const,
    id: createIds(systemClock)(),
    pairing: { topic, symKey, expiry: Math.floor(Date.now() / 1_000) + 300 },
    pairingTopic: topic,
    optionalNamespaces: {},
    relays: [{ protocol: 'irn' }],
  }
  const proposals = () => scripted.requests.filter(({ method }) => method === 'wc_proposeSession')

  const first = await start()
  void first.run(command)
  await expect.poll(() => proposals().length).toBe(1)
  const before = await proposer()
  await first.close()
  silent = false
  const second = await start()
  expect(await second.run(command)).toEqual({ result: undefined })
  expect(proposals()).toHaveLength(2)
  // A wallet may have the first text: its answer must fit.
  expect(await proposer()).toEqual(before)
  expect(await second.run(command)).toEqual({ result: undefined })
  expect(proposals()).toHaveLength(2)
})
