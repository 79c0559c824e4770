import { expect, test } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { toNetwork } from '../networks/Network.ts'
import { canUse, getAccount } from './account.ts'
import { isPending } from './attempt.ts'
import { initialChainState } from './chainState.ts'
import type { Connection } from './Connection.ts'
import { connectionOf } from './Session.ts'
import type { SessionState } from './Session.ts'

const [one, ten] = [toNetwork(mainnet), toNetwork(optimism)]
const stateOf = (change: Partial<Connection>) => {
  const connection: Connection = {
    connectorId: 'a',
    accounts: [{ namespace: 'eip155', address: '0xa', type: 'eoa' }],
    ...change,
  }
  const chain = { ...initialChainState('eip155:1'), connectorId: 'a', connections: [connection] }
  return { namespace: 'eip155', chains: { eip155: chain } } as unknown as Parameters<
    typeof getAccount
  >[0]
}

test('§4.4 an account is on the wallet’s chain or, if that is unknown, on the active network', () => {
  expect(getAccount(stateOf({ caipNetworkId: 'eip155:10' }))?.caipAddress).toBe('eip155:10:0xa')
  const state = stateOf({})
  expect(getAccount(state)?.caipAddress).toBe('eip155:1:0xa')
  // React's useSyncExternalStore needs a stable snapshot.
  expect(getAccount(state)).toBe(getAccount(state))
})

test('a network can be used if the wallet approved it, or did not restrict its networks', () => {
  expect([canUse(stateOf({}), one), canUse(stateOf({}), ten)]).toEqual([true, true])
  const state = stateOf({ approvedNetworkIds: ['eip155:1'] })
  expect([canUse(state, one), canUse(state, ten)]).toEqual([true, false])
})

test.each([
  ['waiting', true],
  ['silent', true],
  ['expired', false],
  ['rejected', false],
  ['failed', false],
] as const)('an attempt with the status %s waits for the wallet: %s', (status, pending) => {
  expect(isPending(status)).toBe(pending)
})

test('CAIP-25 a session’s connection has the accounts of one chain', () => {
  const account = (id: number, address: string) =>
    ({ address, caipNetworkId: `eip155:${id}` }) as const
  const session = {
    connectorId: 'relay',
    grants: {
      eip155: { accounts: [account(1, '0xa'), account(10, '0xb'), account(1, '0xc')] },
      solana: { accounts: [] },
    },
  } as unknown as SessionState
  const found = (...parameters: [namespace: 'eip155' | 'solana', preferred?: `eip155:${number}`]) =>
    connectionOf(session, ...parameters)
  expect(found('eip155')).toEqual({
    connectorId: 'relay',
    caipNetworkId: 'eip155:1',
    accounts: ['0xa', '0xc'].map((address) => ({ namespace: 'eip155', address, type: 'eoa' })),
  })
  expect(found('eip155', 'eip155:10')).toMatchObject({
    caipNetworkId: 'eip155:10',
    accounts: [{ address: '0xb' }],
  })
  expect(found('eip155', 'eip155:999')?.caipNetworkId).toBe('eip155:1')
  expect(found('solana')).toBeUndefined()
  expect(connectionOf({ ...session, grants: {} }, 'eip155')).toBeUndefined()
})
