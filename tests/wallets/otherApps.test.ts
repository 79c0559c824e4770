import type { SignClient, SignEvents } from '@gatefold/sign'
import { createPhoneWallet, createTestWallet, demoAccounts } from '@gatefold/wallets/testing'
import { expect, onTestFinished, test } from 'vitest'
import { useClients } from '../sign/clients.ts'

const clients = useClients()

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
