import { expect, test } from 'vitest'

import { connectionOf } from './Session.ts'
import type { SessionState } from './Session.ts'

test('§3.2.1 §3.3.1 a connection has the accounts of one network, with what the wallet reports of each', () => {
  const main = 'bip122:000000000019d6689c085ae165831e93'
  const test3 = 'bip122:000000000933ea01ad0ee984209779ba'
  const payment = { address: 'bc1q', type: 'payment', publicKey: '02ab', path: "m/84'/0'/0'/0/0" }
  const ordinal = { address: 'bc1p', type: 'ordinal', publicKey: '03cd', path: "m/86'/0'/0'/0/0" }
  const session: SessionState = {
    id: '1',
    connectorId: 'AUTH',
    peer: { name: 'Social wallet' },
    userName: 'Mira',
    method: 'browser',
    grants: {
      bip122: {
        accounts: [
          { ...payment, type: 'payment', caipNetworkId: main },
          { ...ordinal, type: 'ordinal', caipNetworkId: main },
          { address: 'tb1q', caipNetworkId: test3 },
        ],
        networkIds: [main, test3],
        methods: [],
      },
    },
  }
  expect(connectionOf(session, 'bip122')).toEqual({
    connectorId: 'AUTH',
    accounts: [
      { namespace: 'bip122', ...payment },
      { namespace: 'bip122', ...ordinal },
    ],
    caipNetworkId: main,
    name: 'Mira',
  })
  expect(connectionOf(session, 'bip122', test3)?.accounts).toEqual([
    { namespace: 'bip122', address: 'tb1q', type: 'eoa' },
  ])
  expect(connectionOf(session, 'eip155')).toBeUndefined()
})
