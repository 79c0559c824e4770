import { describe, expect, test } from 'vitest'

import { defaultFeatures } from '../features/features.ts'
import { initialState, reducer } from '../kit/state.ts'
import type { Account, Connection } from '../connection/Connection.ts'
import { toNetwork } from '../networks/Network.ts'
import { addressGroups } from './addressGroups.ts'
import { otherReceiveTargets, receiveTarget } from './receive.ts'

type Namespace = Account['namespace']

const network = (id: number | string, chainNamespace: Namespace = 'eip155') =>
  toNetwork({
    id,
    name: String(id),
    chainNamespace,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['http://localhost:1'] } },
  })
const one = network(1)
const ten = network(10)
const solana = network('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana')
const bitcoin = network('000000000019d6689c085ae165831e93', 'bip122')

const empty = initialState({
  networks: [one, ten, solana, bitcoin],
  defaultNetwork: undefined,
  namespaces: ['eip155', 'solana', 'bip122'],
  features: defaultFeatures,
  theme: { mode: 'light', variables: {} },
  locale: 'en',
  embedded: false,
})
const account = (address: string, type: Account['type'] = 'eoa', namespace: Namespace = 'eip155') =>
  ({ address, type, namespace }) satisfies Account

/** The state after wallets with these accounts have connected, each on its accounts' chain family. */
function connected(...wallets: ({ accounts: readonly Account[] } & Partial<Connection>)[]) {
  return wallets.reduce(
    (state, wallet) =>
      reducer(state, {
        type: 'connection.connected',
        namespace: wallet.accounts[0]!.namespace,
        active: true,
        connection: { connectorId: 'halyard', ...wallet },
      }),
    empty,
  )
}
const eoa = { accounts: [account('0xa'), account('0xb')] }
const ids = (networks: readonly { id: number | string }[] = []) => networks.map(({ id }) => id)

describe('receiving', () => {
  test('is possible at the active account, on all networks of its family; the active one is selected', () => {
    const target = receiveTarget(connected({ ...eoa, caipNetworkId: 'eip155:10', name: 'a@b.c' }))
    expect(target).toEqual({
      namespace: 'eip155',
      name: 'a@b.c',
      accounts: [account('0xa')],
      networks: [one, ten],
      network: ten,
    })
  })

  test('is impossible without a wallet', () => {
    expect(receiveTarget(empty)).toBeUndefined()
    expect(otherReceiveTargets(empty, 'eip155')).toEqual([])
  })

  test.each([
    ['the chosen network', ten, 10],
    ['the active network, if the chosen one is not configured', network(7), 1],
    ['the active network, if the family of the chosen one has no wallet', solana, 1],
  ])('selects %s', (_, wanted, id) => {
    expect(receiveTarget(connected(eoa), wanted)?.network?.id).toBe(id)
  })

  test('a smart account receives on its own network only', () => {
    const smart = { accounts: [account('0xa', 'smartAccount')] }
    const onTen = receiveTarget(connected({ ...smart, caipNetworkId: 'eip155:10' }), one)
    expect([ids(onTen?.networks), onTen?.network?.id]).toEqual([[10], 10])
    const unsupported = receiveTarget(connected({ ...smart, caipNetworkId: 'eip155:7781' }))
    expect([unsupported?.networks, unsupported?.network]).toEqual([[], undefined])
    expect(receiveTarget(connected(smart))?.network?.id).toBe(1)
  })

  test('an account receives on the site’s networks even while the wallet is on another chain', () => {
    const target = receiveTarget(connected({ ...eoa, caipNetworkId: 'eip155:7781' }))
    expect([ids(target?.networks), target?.network?.id]).toEqual([[1, 10], 1])
  })

  test('a contract wallet that connects as an ordinary account receives only on approved networks', () => {
    const safe = connected({ ...eoa, approvedNetworkIds: ['eip155:10'] })
    const target = receiveTarget(safe, one)
    expect([ids(target?.networks), target?.network?.id]).toEqual([[10], 10])
  })

  test('accounts with a purpose are offered together, the first of each, payments first', () => {
    const accounts = (['ordinal', 'payment', 'payment'] as const).map((type, index) =>
      account(`bc1${index}`, type, 'bip122'),
    )
    const addresses = (accounts: readonly Account[]) =>
      receiveTarget(connected({ accounts }), bitcoin)?.accounts.map(({ address }) => address)
    expect(addresses(accounts)).toEqual(['bc11', 'bc10'])
    expect(addresses(accounts.slice(0, 1))).toEqual(['bc10'])
  })

  test('the other families with a wallet and a configured network are listed', () => {
    const wallets = [
      eoa,
      { accounts: [account('7V', 'eoa', 'solana')] },
      { accounts: [account('bc1', 'payment', 'bip122')] },
    ]
    const state = connected(...wallets)
    const families = (namespace: Namespace, now = state) =>
      otherReceiveTargets(now, namespace).map((target) => target.namespace)
    expect(families('eip155')).toEqual(['solana', 'bip122'])
    expect(families('solana')).toEqual(['eip155', 'bip122'])
    const removed = reducer(state, { type: 'networks.changed', networks: [one, bitcoin] })
    expect(families('eip155', removed)).toEqual(['bip122'])
  })
})

test.each([
  ['0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E', 10, '0x9f3C', 'b41E'],
  ['7Vbq2mKfTz8Xc4RjWd91LsPuHnEaGy6oZtQv3Mi5Fk2B', 11, '7Vbq', 'Fk2B'],
  ['bc1p0e4r7t1u8i2o5p9a3s6d0f7g1h4j8k2l5z9x3c6v0b4n7m1s77wd5x8q2w', 15, 'bc1p0e', '8q2w'],
  ['abc', 1, 'abc', 'abc'],
])('the address %s is written in %i groups, from %s to %s', (address, count, first, last) => {
  const groups = addressGroups(address)
  expect([groups.length, groups[0], groups.at(-1)]).toEqual([count, first, last])
  expect(groups.join('')).toBe(address)
})
