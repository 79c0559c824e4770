import { accounts } from '@gatefold/chain'
import type { PendingRequest, SignClient, SignClientOptions } from '@gatefold/sign'
import { createPhoneWallet, createTestWallet } from '@gatefold/wallets/testing'
import { toHex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import { useClients } from '../sign/clients.ts'

const clients = useClients()
const mira = accounts[0].address

/** The relay accepts no response. */
const offline = { respond: () => Promise.reject(new Error('The relay is down.')) }

function createStorage() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    read: () => stored.get('phone') ?? '',
  }
}

/** Two apps with sessions, and a phone that has signed a request of the bank, which the relay has not accepted. */
async function setup(options: Partial<SignClientOptions> = {}) {
  const client = clients.create('phone', options)
  const wallet = createTestWallet({ chains: [{ id: 1, rpcUrl: 'http://127.0.0.1:1' }] })
  const storage = createStorage()
  const start = (sign: Partial<SignClient> = {}) => {
    const phone = createPhoneWallet({
      sign: { ...client, ...sign },
      wallet,
      storage,
      storageKey: 'phone',
    })
    onTestFinished(() => phone.destroy())
    return phone
  }
  onTestFinished(() => wallet.destroy())
  const refusing = start(offline)
  const connect = async (name: string) => {
    const app = clients.create(name)
    const { uri = '', approval } = await app.connect({
      optionalNamespaces: {
        eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] },
      },
    })
    await refusing.pair(uri)
    const { topic } = await approval()
    const sign = () =>
      app.request({
        topic,
        chainId: 'eip155:1',
        request: { method: 'personal_sign', params: [toHex(`Sign in to ${name}`), mira] },
      })
    return { app, topic, sign }
  }
  const [bank, evil] = [await connect('bank'), await connect('evil')]
  const answer = bank.sign()
  answer.catch(() => undefined)
  await expect.poll(() => refusing.lastError).toBeDefined()
  refusing.destroy()
  const [request] = client.pendingRequests()
  expect(storage.read()).toContain(bank.topic)
  const prompts = () => wallet.controls.requests.filter(({ method }) => method === 'personal_sign')
  return { start, storage, bank, evil, answer, request: request!, prompts }
}

test('after a restart, a stored response is sent without prompting again', async () => {
  const { start, storage, answer, prompts } = await setup()
  start()
  expect(await answer).toMatch(/^0x/)
  expect(prompts()).toHaveLength(1)
  await expect.poll(storage.read).not.toContain('0x')
})

test.each<[string, (request: PendingRequest, evil: string) => PendingRequest]>([
  ['for another app', (request, topic) => ({ ...request, topic })],
  [
    'for another request',
    (request) => {
      const { params } = request
      const other = { ...params.request, params: [toHex('Something else'), mira] }
      return { ...request, params: { ...params, request: other } }
    },
  ],
])(
  'attack: a stored response is not sent %s with the same id, which is prompted for',
  async (_what, change) => {
    const { start, request, evil, prompts } = await setup()
    const pending = change(request, evil.topic)
    const sent: unknown[] = []
    start({
      pendingRequests: () => [pending],
      respond: async (response) => void sent.push(response),
    })
    await expect.poll(() => sent).toHaveLength(1)
    expect(prompts()).toHaveLength(2)
  },
)

test('attack: a stored response is removed when its session ends', async () => {
  const { start, storage, bank } = await setup()
  start(offline)
  await bank.app.disconnect({ topic: bank.topic })
  await expect.poll(storage.read).not.toContain(bank.topic)
})

test('attack: a stored response is removed when its request expires', async () => {
  const clock = createManualClock()
  const { start, storage, bank } = await setup({ clock })
  start(offline)
  clock.advance(900_000)
  const read = () => {
    clock.advance(1_000)
    return storage.read()
  }
  await expect.poll(read).not.toContain(bank.topic)
})

test('attack: a stored response is removed after a restart if its request has expired', async () => {
  const { start, storage, bank } = await setup()
  start({ pendingRequests: () => [] })
  await expect.poll(storage.read).not.toContain(bank.topic)
})
