import { expect, test } from 'vitest'
import type { Cacao } from '../Session.ts'
import { createRecap, encodeRecap } from './recap.ts'
import { toNamespaces } from './toNamespaces.ts'

const cacao = (account: string, ...resources: string[]) =>
  ({ p: { iss: `did:pkh:${account}`, resources } }) as unknown as Cacao

test('authorizations grant their accounts on their chains, with the methods of all ReCaps', () => {
  const chains = ['eip155:10', 'eip155:1']
  const att = { eip155: { 'request/personal_sign': [{ chains }], 'request/eth_sign': [{}] } }
  const recap = createRecap('eip155', ['personal_sign', 'eth_call'])
  expect(
    toNamespaces([
      cacao('eip155:1:0xA', encodeRecap({ att })),
      cacao('eip155:1:0xA', recap),
      cacao('eip155:1:0xB', recap),
      cacao('solana:main:S'),
      {
        p: { iss: 'unknown', resources: [createRecap('eip155', ['eth_sign2'])] },
      } as unknown as Cacao,
    ]),
  ).toEqual({
    eip155: {
      chains: ['eip155:1', 'eip155:10'],
      accounts: ['eip155:1:0xA', 'eip155:10:0xA', 'eip155:1:0xB'],
      methods: ['personal_sign', 'eth_sign', 'eth_call'],
      events: ['chainChanged', 'accountsChanged'],
    },
    solana: {
      chains: ['solana:main'],
      accounts: ['solana:main:S'],
      methods: ['personal_sign', 'eth_sign', 'eth_call'],
      events: ['chainChanged', 'accountsChanged'],
    },
  })
})

test('authorizations without a method grant no session', () => {
  expect(toNamespaces([cacao('eip155:1:0xA')])).toBeUndefined()
  expect(toNamespaces([])).toBeUndefined()
})
