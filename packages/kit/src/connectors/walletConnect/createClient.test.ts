import type { Session } from '@gatefold/sign'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { memoryStorage } from '../../core/storage/storage.ts'
import { createClient } from './createClient.ts'
import type { Sign } from './createClient.ts'

const metadata = { name: 'Book', description: '', url: 'https://book.example', icons: [] }
const orrery = { id: 'orrery', name: 'Orrery', mobile_link: 'orrery' }
const account = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const appKey = 'WALLETCONNECT_DEEPLINK_CHOICE'

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
  const listeners = new Map<string, (event: object) => void>()
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
    request: async () => undefined as never,
    on(name, listener) {
      listeners.set(name, listener as never)
      return () => {}
    },
    ready: async () => {},
    sessions: () => [],
    close: async () => {},
  }
  const storage = memoryStorage()
  const context = {
    options: { endpoints: {}, metadata, storageKey: 'book' },
    namespaces: ['eip155'],
    networks: () => [{ name: 'One', chainNamespace: 'eip155', caipNetworkId: 'eip155:1' }],
    methods: () => undefined,
    findWallet: async () => orrery,
    storage,
    emit: () => {},
  } as unknown as ConnectorContext
  const emit = (name: string, event: object) => listeners.get(name)!(event)
  return { client: createClient(context, sign), proposals, ended, storage, emit }
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

test('attack: the app of a session that has ended is not opened again', async () => {
  const { client, proposals, storage } = open()
  const connecting = client.connect({})
  await minutes(1)
  client.setApp({ ...orrery, href: 'orrery://' })
  proposals[0]!.approve()
  await connecting
  expect(storage.getItem(appKey)).toContain('orrery')
  await client.disconnect()
  expect(storage.getItem(appKey)).toBe(null)
})

test('an aborted attempt leaves no proposal that a wallet could still approve', async () => {
  const { client, storage } = open()
  const controller = new AbortController()
  const connecting = client.connect({ signal: controller.signal })
  connecting.catch(() => {})
  await minutes(1)
  expect(storage.getItem('book.proposal')).not.toBe(null)
  controller.abort(new Error('closed'))
  await expect(connecting).rejects.toThrow('closed')
  expect(storage.getItem('book.proposal')).toBe(null)
})

test('a new request does not show the link of the previous one', async () => {
  vi.stubGlobal('window', { open: () => {} })
  const { client, proposals, emit } = open()
  const connecting = client.connect({})
  await minutes(1)
  client.setApp({ ...orrery, href: 'orrery://' })
  proposals[0]!.approve()
  const session = await connecting
  const provider = (await session.provider('solana')) as { request(call: object): Promise<unknown> }
  emit('session_request_sent', { topic: 'session 1', id: 7, method: 'personal_sign' })
  await minutes(1)
  expect(session.getState().requestLink?.href).toContain('requestId=7')
  await provider.request({ method: 'signMessage', chainId: 'solana:1' })
  expect(session.getState().requestLink).toBeUndefined()
  vi.unstubAllGlobals()
})
