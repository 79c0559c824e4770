import type { Session } from '@gatefold/sign'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { memoryStorage } from '../../core/storage/storage.ts'
import { createClient } from './createClient.ts'
import type { Sign } from './createClient.ts'

const metadata = { name: 'Book', description: '', url: 'https://book.example', icons: [] }
const account = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens a client whose proposals the test answers. */
function open() {
  const proposals: { approve(): void; reject(code: number): void }[] = []
  /** Topics of sessions that were ended at the wallet. */
  const ended: string[] = []
  const sign: Sign = {
    async connect() {
      const number = proposals.length + 1
      const { promise, resolve, reject } = Promise.withResolvers<Session>()
      proposals.push({
        approve: () => resolve(sessionOf(`session ${number}`)),
        reject: (code) => reject(Object.assign(new Error('No.'), { reason: { code } })),
      })
      return {
        uri: `wc:${String(number).padStart(64, '0')}@2?symKey=${'0'.repeat(64)}`,
        expiresAt: Date.now() + 300_000,
        approval: () => promise,
      }
    },
    disconnect: async ({ topic }) => void ended.push(topic),
    request: () => Promise.reject(new Error('not used')),
    on: () => () => {},
    ready: async () => {},
    sessions: () => [],
    close: async () => {},
  }
  const context = {
    options: { endpoints: {}, metadata, storageKey: 'book' },
    namespaces: ['eip155'],
    networks: () => [{ name: 'One', chainNamespace: 'eip155', caipNetworkId: 'eip155:1' }],
    methods: () => undefined,
    findWallet: async () => undefined,
    storage: memoryStorage(),
    emit: () => {},
  } as unknown as ConnectorContext
  return { client: createClient(context, sign), proposals, ended }
}

function sessionOf(topic: string): Session {
  const peer = { publicKey: '', metadata }
  const namespaces = { eip155: { accounts: [account], methods: [], events: [] } }
  return {
    topic,
    pairingTopic: '',
    relay: { protocol: 'irn' },
    expiry: Date.now() / 1_000 + 604_800,
    acknowledged: true,
    controller: '',
    namespaces,
    requiredNamespaces: {},
    optionalNamespaces: {},
    self: peer,
    peer,
    transportType: 'relay',
  }
}

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

test('a URI on screen is renewed until a wallet has approved', async () => {
  const { client, proposals } = open()
  const connecting = client.connect({})
  await minutes(4)
  expect(proposals).toHaveLength(2)
  proposals[1]!.approve()
  expect((await connecting).getState().id).toBe('session 2')
  await minutes(30)
  expect(proposals).toHaveLength(2)
})

test('if two wallets approve URIs of the same attempt, the second session is ended', async () => {
  const { client, proposals, ended } = open()
  const connecting = client.connect({})
  await minutes(4)
  for (const proposal of proposals) proposal.approve()
  expect((await connecting).getState().id).toBe('session 1')
  await minutes(1)
  expect(ended).toEqual(['session 2'])
})

test('if a wallet approves an earlier URI after the attempt was declined, the session is ended', async () => {
  const { client, proposals, ended } = open()
  const connecting = client.connect({})
  connecting.catch(() => {})
  await minutes(4)
  proposals[1]!.reject(5000)
  await expect(connecting).rejects.toMatchObject({ code: 'wallet.user_rejected' })
  proposals[0]!.approve()
  await minutes(1)
  expect(ended).toEqual(['session 1'])
})

test('a session that another attempt replaces is ended', async () => {
  const { client, proposals, ended } = open()
  const first = client.connect({})
  const second = client.connect({})
  await minutes(1)
  proposals[0]!.approve()
  await first
  expect(ended).toEqual([])
  proposals[1]!.approve()
  expect((await second).getState().id).toBe('session 2')
  expect(ended).toEqual(['session 1'])
})
