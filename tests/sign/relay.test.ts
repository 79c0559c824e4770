import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@gatefold/server'
import { afterEach, expect, test } from 'vitest'
import { createKeychain } from '../../packages/sign/src/crypto/createKeychain.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { createRelayer } from '../../packages/sign/src/relayer/createRelayer.ts'

const pairing = 'a'.repeat(64)
const session = 'b'.repeat(64)
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function start(dataDir: string, port = 0) {
  const server = await startServer({
    roles: ['relay'],
    port,
    dataDir,
    rpcUrls: {},
    shutdownSeconds: 1,
    logLevel: 'silent',
  })
  ends.push(() => server.stop())
  return server
}

async function client(port: number) {
  const store = createMemoryStore()
  const keychain = await createKeychain({ store, key: 'keys' })
  const relayer = await createRelayer({ relayUrl: `ws://localhost:${port}`, keychain, store })
  ends.push(() => relayer.close())
  const received: string[] = []
  relayer.onMessage(async ({ message }) => void received.push(message))
  return { relayer, received }
}

test('§7.14.2 two clients connect through the relay', async () => {
  const { port } = await start(':memory:')
  const app = await client(port)
  const wallet = await client(port)
  await app.relayer.proposeSession({
    pairingTopic: pairing,
    sessionProposal: 'proposal',
    correlationId: 1,
  })
  await wallet.relayer.subscribe(pairing)
  await expect.poll(() => wallet.received).toEqual(['proposal'])
  await wallet.relayer.approveSession({
    pairingTopic: pairing,
    sessionTopic: session,
    sessionProposalResponse: 'response',
    sessionSettlementRequest: 'settling',
    correlationId: 1,
    approvedChains: ['eip155:1'],
    approvedMethods: [],
    approvedEvents: [],
    approvedAccounts: [],
  })
  await expect.poll(() => app.received).toEqual(['response'])
  await app.relayer.subscribe(session)
  await expect.poll(() => app.received).toEqual(['response', 'settling'])

  const texts = Array.from({ length: 40 }, (_, index) => `request${index}`)
  await Promise.all(
    texts.map((text) => app.relayer.publish(session, text, { ttl: 300, tag: 1108, prompt: true })),
  )
  await expect.poll(() => wallet.received.slice(1)).toEqual(texts)
})

test('after the relay restarts, both clients reconnect and receive pending messages', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-sign-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const first = await start(dataDir)
  const app = await client(first.port)
  const wallet = await client(first.port)
  await wallet.relayer.subscribe(session)
  await app.relayer.publish(session, 'previous', { ttl: 300, tag: 1108, prompt: true })
  await first.stop()
  const published = app.relayer.publish(session, 'meanwhile', { ttl: 300, tag: 1108, prompt: true })
  await expect.poll(() => wallet.relayer.status().status).toBe('offline')
  await start(dataDir, first.port)
  await published
  await expect.poll(() => wallet.received).toEqual(['previous', 'meanwhile'])
  await app.relayer.publish(session, 'after', { ttl: 300, tag: 1108, prompt: true })
  await expect.poll(() => wallet.received).toEqual(['previous', 'meanwhile', 'after'])
})
