import type { Session } from '@gatefold/sign'
import { expect, test } from 'vitest'

import { maxAccounts, toGrants } from './toGrants.ts'

const namespaces = (value: Session['namespaces']) => value

test('§3.19.1 reads namespaces that are keyed by chain family or by a single chain', () => {
  const { eip155 } = toGrants(
    namespaces({
      eip155: {
        chains: ['eip155:1', 'eip155:10'],
        accounts: ['eip155:1:0xA', 'eip155:10:0xA', 'eip155:137:0xB'],
        methods: ['personal_sign'],
        events: [],
      },
      'eip155:8453': { accounts: ['eip155:8453:0xC'], methods: ['eth_sign'], events: [] },
      solana: { accounts: ['solana:5eyk:So1'], methods: ['solana_signMessage'], events: [] },
    }),
  )
  expect(eip155).toEqual({
    accounts: [
      { caipNetworkId: 'eip155:1', address: '0xA' },
      { caipNetworkId: 'eip155:10', address: '0xA' },
      { caipNetworkId: 'eip155:137', address: '0xB' },
      { caipNetworkId: 'eip155:8453', address: '0xC' },
    ],
    networkIds: ['eip155:1', 'eip155:10', 'eip155:137', 'eip155:8453'],
    methods: ['personal_sign', 'eth_sign'],
  })
})

test('puts the wallet’s preferred accounts first, and the other accounts in their original order', () => {
  const accounts = ['eip155:1:0xA', 'eip155:1:0xB', 'eip155:1:0xC']
  const grants = toGrants(namespaces({ eip155: { accounts, methods: [], events: [] } }), {
    eip155: ['0xc', '0xforeign', '0xa', '0xc'],
  })
  expect(grants.eip155?.accounts.map(({ address }) => address)).toEqual(['0xC', '0xA', '0xB'])
})

test('error: ignores accounts in another chain family and ids without an address', () => {
  const { eip155 } = toGrants(
    namespaces({ eip155: { accounts: ['solana:1:0xA', 'eip155:1', ''], methods: [], events: [] } }),
  )
  expect(eip155).toEqual({ accounts: [], networkIds: [], methods: [] })
})

test('attack: reads the preferred addresses once, however many accounts the wallet has', () => {
  const addresses = Array.from({ length: 200 }, (_, index) => `0x${index.toString(16)}`)
  const accounts = addresses.toReversed().map((address) => `eip155:1:${address}`)
  const reads: PropertyKey[] = []
  const preferred = new Proxy(addresses, {
    get(target, key) {
      reads.push(key)
      return Reflect.get(target, key)
    },
  })
  const { eip155 } = toGrants(namespaces({ eip155: { accounts, methods: [], events: [] } }), {
    eip155: preferred,
  })
  expect(eip155?.accounts.map(({ address }) => address)).toEqual(addresses)
  expect(reads.filter((key) => key === '0')).toHaveLength(1)
})

test('attack: of more accounts than the maximum, the first ones are used', () => {
  const accounts = Array.from({ length: maxAccounts + 1 }, (_, index) => `eip155:1:0x${index}`)
  const { eip155 } = toGrants(namespaces({ eip155: { accounts, methods: [], events: [] } }))
  expect(eip155?.accounts).toHaveLength(maxAccounts)
})

test('attack: EVM accounts on chains whose id is not a positive safe integer are ignored', () => {
  const ids = ['abc', '0', '-1', '01', '1e3', '0x1', '9007199254740993', '99999999999999999999']
  const accounts = ids.map((id) => `eip155:${id}:0xA`)
  const { eip155 } = toGrants(namespaces({ eip155: { accounts, methods: [], events: [] } }))
  expect(eip155?.accounts).toEqual([])
})
