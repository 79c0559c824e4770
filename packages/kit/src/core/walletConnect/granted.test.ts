import type { Session } from '@gatefold/sign'
import { expect, test } from 'vitest'

import { granted } from './granted.ts'

const session = (namespaces: Session['namespaces']) => ({ namespaces }) as Session

test('§3.19.1 a grant is read under its family and under single chains', () => {
  const { accounts, chains, methods } = granted(
    session({
      eip155: {
        chains: ['eip155:1', 'eip155:10'],
        accounts: ['eip155:1:0xA', 'eip155:10:0xA', 'eip155:137:0xB'],
        methods: ['personal_sign'],
        events: [],
      },
      'eip155:8453': { accounts: ['eip155:8453:0xC'], methods: ['eth_sign'], events: [] },
      solana: { accounts: ['solana:5eyk:So1'], methods: ['solana_signMessage'], events: [] },
    }),
    'eip155',
  )
  expect(accounts.map(({ chainId, address }) => `${chainId} ${address}`)).toEqual([
    '1 0xA',
    '10 0xA',
    '137 0xB',
    '8453 0xC',
  ])
  expect([...chains]).toEqual(['1', '10', '137', '8453'])
  expect([...methods]).toEqual(['personal_sign', 'eth_sign'])
})

test('error: what a wallet puts under a foreign name or without an address counts for nothing', () => {
  const { accounts, chains } = granted(
    session({
      eip155: { accounts: ['solana:1:0xA', 'eip155:1', ''], methods: [], events: [] },
    }),
    'eip155',
  )
  expect(accounts).toEqual([])
  expect([...chains]).toEqual([])
})
