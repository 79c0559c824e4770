import type { Session } from '@gatefold/sign'
import type { EIP1193Provider } from 'viem'
import { expect, onTestFinished, test } from 'vitest'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { createSession } from './createSession.ts'
import { maxAccounts } from './toGrants.ts'

const [mira, tomas] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
]

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:So11111111111111111111111111111111111111112'

/** A settled session with these accounts, by chain family. */
function sessionOf(families: { [family: string]: readonly string[] }) {
  return {
    topic: 'a',
    expiry: Date.now() / 1_000 + 604_800,
    namespaces: Object.fromEntries(
      Object.entries(families).map(([family, accounts]) => [
        family,
        { accounts, methods: [], events: ['accountsChanged'] },
      ]),
    ),
    peer: { publicKey: '', metadata: { name: '', description: '', url: '', icons: [] } },
  } as unknown as Session
}

function open(accounts: readonly string[]) {
  const session = sessionOf({ eip155: accounts, solana: [solana] })
  const context = {
    emit() {},
    networks: () => [],
    activeNetwork: () => undefined,
  } as unknown as ConnectorContext
  const sign = { request: async () => undefined as never }
  return createSession({ context, sign, session, byApp: false })
}

test('attack: entries of accountsChanged above the maximum are ignored', () => {
  const live = open([`eip155:1:${mira}`, `eip155:1:${tomas}`])
  const addresses = () => live.getState().grants.eip155?.accounts.map(({ address }) => address)
  const emit = (data: readonly string[]) =>
    live.onEvent({ chainId: 'eip155:1', name: 'accountsChanged', data })
  const others = Array.from({ length: maxAccounts - 1 }, () => '0x')
  emit([...others, tomas])
  expect(addresses()).toEqual([tomas, mira])
  emit([...others, '0x', tomas])
  expect(addresses()).toEqual([mira, tomas])
})

test.each<[string, { [family: string]: readonly string[] }]>([
  ['only accounts of another family', { solana: [solana] }],
  ['no accounts', { eip155: [], solana: [solana] }],
  ['accounts on a chain without a number', { eip155: [`eip155:abc:${mira}`] }],
  ['accounts on a chain above 2^53', { eip155: [`eip155:99999999999999999999:${mira}`] }],
])(
  'attack: an update to %s removes the EVM accounts for all listeners',
  async (_what, families) => {
    const live = open([`eip155:1:${mira}`])
    const provider = (await live.provider('eip155')) as EIP1193Provider
    const emitted: unknown[] = []
    let calls = 0
    provider.on('accountsChanged', (accounts) => emitted.push(accounts))
    live.subscribe(() => void (calls += 1))
    live.update(sessionOf(families))
    expect(emitted).toEqual([[]])
    expect(calls).toBe(1)
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    live.update(sessionOf({ eip155: [`eip155:1:${tomas}`] }))
    expect(emitted).toEqual([[], [tomas]])
  },
)

test('attack: a listener that throws does not keep the others from being called', async () => {
  const thrown: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', ({ message }) => thrown.push(message))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  })
  const live = open([`eip155:1:${mira}`])
  const calls: string[] = []
  live.subscribe(() => {
    throw new Error('of the site')
  })
  live.subscribe(() => calls.push('called'))
  expect(() => live.update(sessionOf({ eip155: [`eip155:1:${tomas}`] }))).not.toThrow()
  expect(() => live.end()).not.toThrow()
  expect(calls).toHaveLength(2)
  await expect.poll(() => thrown).toEqual(['of the site', 'of the site'])
})
