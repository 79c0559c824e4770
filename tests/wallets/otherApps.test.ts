import type { PendingRequest, SignClient, SignEvents } from '@gatefold/sign'
import { createPhoneWallet, createTestWallet, demoAccounts } from '@gatefold/wallets/testing'
import { toHex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { unknownContext } from '../../packages/sign/src/verify/unknownContext.ts'
import { useClients } from '../sign/clients.ts'

const clients = useClients()

/**
 * Restarts the phone with pending requests of both apps that have the same id. `expire` lets that of the
 * bank expire.
 */
async function setupSameId() {
  const { start, client, phone, controls, bank, evil } = await setup()
  phone.destroy()
  controls.set({ hang: ['personal_sign'] })
  const request = { method: 'personal_sign', params: [toHex('Hello'), controls.accounts[0]] }
  let pending = [bank, evil].map(({ topic }): PendingRequest => {
    const params = { chainId: 'eip155:1', request }
    return { id: 1, topic, params, verifyContext: unknownContext('') }
  })
  const listeners: ((event: SignEvents['session_request_expire']) => void)[] = []
  start({
    pendingRequests: () => pending,
    on(name, listener) {
      if (name === 'session_request_expire') listeners.push(listener as (typeof listeners)[number])
      return client.on(name, listener)
    },
  })
  return {
    shown: () => controls.pending.map(({ origin }) => origin),
    expire: () => {
      pending = pending.filter(({ topic }) => topic !== bank.topic)
      for (const listener of listeners) listener({ id: 1 })
    },
  }
}

/** A phone with the chains 1 and 10, and two apps with sessions on chain 1. */
async function setup() {
  const rpcUrl = 'http://127.0.0.1:1'
  const wallet = createTestWallet({
    chains: [1, 10].map((id) => ({ id, rpcUrl })),
    accounts: demoAccounts(0, 1),
  })
  onTestFinished(() => wallet.destroy())
  const client = clients.create('phone')
  const start = (sign: Partial<SignClient> = {}) => {
    const phone = createPhoneWallet({ sign: { ...client, ...sign }, wallet })
    onTestFinished(() => phone.destroy())
    return phone
  }
  const phone = start()
  const connect = async (name: string) => {
    const app = clients.create(name)
    const { uri = '', approval } = await app.connect({
      optionalNamespaces: {
        eip155: {
          chains: ['eip155:1'],
          methods: ['personal_sign', 'wallet_switchEthereumChain'],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
    })
    await phone.pair(uri)
    const { topic } = await approval()
    const events: unknown[] = []
    app.on('session_event', ({ params }: SignEvents['session_event']) => {
      events.push([params.event.name, params.event.data])
    })
    const request = { method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] }
    return {
      topic,
      events,
      switchChain: () => app.request({ topic, chainId: 'eip155:1', request }),
      chains: () => app.sessions()[0]?.namespaces['eip155']?.chains,
    }
  }
  const [bank, evil] = [await connect('bank'), await connect('evil')]
  return { start, client, phone, controls: wallet.controls, bank, evil }
}

test('attack: a chain switch that an app requests changes only its own session', async () => {
  const { phone, controls, bank, evil } = await setup()
  await evil.switchChain()
  // The bank would receive an event of that switch before this one.
  controls.switchAccount(1)
  await expect.poll(() => bank.events.length).toBeGreaterThan(0)
  const accountsChanged = ['accountsChanged', controls.accounts.toReversed()]
  expect(bank.events).toEqual([accountsChanged])
  expect(bank.chains()).toEqual(['eip155:1'])
  await expect.poll(() => evil.events).toEqual([['chainChanged', 10], accountsChanged])
  expect(evil.chains()).toEqual(['eip155:1', 'eip155:10'])
  expect([evil, bank].map(({ topic }) => phone.chainOf(topic))).toEqual([10, 1])
})

test('the wallet can switch the chain of one session, or of all', async () => {
  const { phone, controls, bank, evil } = await setup()
  phone.switchChain(bank.topic, 10)
  await expect.poll(() => bank.events).toEqual([['chainChanged', 10]])
  controls.switchChain(10)
  await expect.poll(() => evil.events).toEqual([['chainChanged', 10]])
  controls.switchChain(1)
  const both = [10, 1].map((chainId) => ['chainChanged', chainId])
  await expect.poll(() => [bank.events, evil.events]).toEqual([both, both])
  expect([evil, bank].map(({ topic }) => phone.chainOf(topic))).toEqual([1, 1])
})

test('attack: requests of two apps with the same id are both shown', async () => {
  const { shown } = await setupSameId()
  await expect.poll(shown).toEqual(['https://bank.example', 'https://evil.example'])
})

test('attack: a request that expires does not cancel one of another app with the same id', async () => {
  const { shown, expire } = await setupSameId()
  await expect.poll(() => shown().length).toBe(2)
  expire()
  await expect.poll(shown).toEqual(['https://evil.example'])
})
