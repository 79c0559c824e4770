import { expect, test } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { canUse } from '../networks/canUse.ts'
import { toNetwork } from '../networks/Network.ts'
import { getAccount, getNetwork, getSession, isConnected, isConnectedBy } from './account.ts'
import { isPending } from './attempt.ts'
import { initialChainState } from './chainState.ts'
import type { Connection } from './Connection.ts'
import { findConnector, servesNamespace } from './Connector.ts'
import { findUniversalConnector } from './findUniversalConnector.ts'
import type { Connector } from './Connector.ts'
import { findGrantingSession, getGrantedAccount } from './findGrantingSession.ts'
import { isSmartAccount } from './isSmartAccount.ts'
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

test('a family without an adapter or a wallet has no account, network or connection', () => {
  const state = { ...stateOf({}), networks: [one, ten] }
  expect(getAccount(state, 'solana')).toBeUndefined()
  expect(getNetwork(state, 'solana')).toBeUndefined()
  expect([getNetwork(state), getNetwork(state, 'eip155')]).toEqual([one, one])
  expect(canUse(state, { ...one, chainNamespace: 'solana' })).toBe(true)
  expect(isConnected(state)).toBe(true)
  const blank = { ...state, chains: { eip155: initialChainState() } }
  expect(isConnected(blank)).toBe(false)
  expect([getAccount(blank), getNetwork(blank)]).toEqual([undefined, undefined])
  const unknown = { ...stateOf({}).chains.eip155!, networkId: undefined }
  expect(getAccount({ ...state, chains: { eip155: unknown } })).toBeUndefined()
})

test.each([
  ['a', undefined, true],
  ['a', 'eip155', true],
  ['a', 'solana', false],
  ['b', undefined, false],
  ['b', 'eip155', false],
  [undefined, undefined, false],
] as const)('the connector %s is connected on the family %s: %s', (id, namespace, connected) => {
  expect(isConnectedBy(stateOf({}), id, namespace)).toBe(connected)
})

test('one of several wallets, on one of several families, is enough to be connected', () => {
  const { chains } = stateOf({})
  const [a] = chains.eip155!.connections
  const eip155 = { ...chains.eip155!, connections: [a!, { ...a!, connectorId: 'b' }] }
  const state = { ...stateOf({}), chains: { eip155, solana: initialChainState() } }
  expect(isConnected(state)).toBe(true)
  for (const id of ['a', 'b'])
    for (const namespace of ['eip155', undefined] as const)
      expect(isConnectedBy(state, id, namespace)).toBe(true)
  expect(isConnectedBy(state, 'a', 'solana')).toBe(false)
})

test('a session is found by its connector until it has ended', () => {
  const live = { id: '1' } as SessionState
  const sessions = { live, ended: { ...live, end: 'user' } as SessionState }
  const found = [...Object.keys(sessions), 'other', undefined].map((id) =>
    getSession({ sessions }, id),
  )
  expect(found).toEqual([live, undefined, undefined, undefined])
})

test('the session of a family is one that grants accounts and has not ended', () => {
  const sessionOf = (change: object = {}) =>
    ({ grants: { eip155: { accounts: [{}] } }, ...change }) as unknown as SessionState
  const others = {
    ended: sessionOf({ end: 'user' }),
    empty: sessionOf({ grants: { eip155: { accounts: [] } } }),
    solana: sessionOf({ grants: { solana: { accounts: [{}] } } }),
  }
  const live = sessionOf()
  expect(findGrantingSession({ sessions: { ...others, live } }, 'eip155')).toBe(live)
  expect(findGrantingSession({ sessions: others }, 'eip155')).toBeUndefined()
})

test('a family without an adapter has the first account that a session grants', () => {
  const accounts = ['a', 'b'].map((address) => ({ address }))
  const session = { grants: { eip155: { accounts }, solana: { accounts } } }
  const sessions = { relay: session } as unknown as Record<string, SessionState>
  const { chains } = stateOf({})
  expect(getGrantedAccount({ chains, sessions }, 'solana')).toEqual({ address: 'a' })
  expect(getGrantedAccount({ chains, sessions }, 'eip155')).toBeUndefined()
  expect(getGrantedAccount({ chains, sessions }, 'bip122')).toBeUndefined()
  expect(getGrantedAccount({ chains, sessions: {} }, 'solana')).toBeUndefined()
})

test.each([
  ['with another case', '0xAB', 'eip155:1', true],
  ['on another network', '0xab', 'eip155:10', false],
  ['with another address', '0xac', 'eip155:1', false],
  ['of a key', '0xcd', 'eip155:1', false],
  ['of another family', '0xab', 'solana:1', false],
] as const)(
  'ERC-4337 an account %s (%s on %s) is a smart account: %s',
  (_, address, caipNetworkId, isSmart) => {
    const session = {
      grants: {
        eip155: {
          accounts: [
            { address: '0xaB', caipNetworkId: 'eip155:1', type: 'smartAccount' },
            { address: '0xcd', caipNetworkId: 'eip155:1', type: 'eoa' },
          ],
        },
      },
    } as unknown as SessionState
    expect(isSmartAccount(session, { address, caipNetworkId })).toBe(isSmart)
    expect(isSmartAccount(undefined, { address, caipNetworkId })).toBe(false)
  },
)

test('a connector is found by its id among those that serve a family', () => {
  const connector = (id: string, chain: string, more: Partial<Connector> = {}) =>
    ({ id, chain, ...more }) as Connector
  const evm = connector('wallet', 'eip155')
  const solana = connector('wallet', 'solana')
  const relay = connector('relay', 'eip155', { chains: ['eip155', 'bip122'], universal: true })
  const all = [evm, solana, relay]
  expect(findConnector(all, 'wallet')).toBe(evm)
  expect(findConnector(all, 'wallet', 'solana')).toBe(solana)
  expect(findConnector(all, 'wallet', 'bip122')).toBeUndefined()
  expect(findConnector(all, 'relay', 'bip122')).toBe(relay)
  expect(findConnector(all, undefined)).toBeUndefined()
  expect(findUniversalConnector(all)).toBe(relay)
  expect(findUniversalConnector([evm, solana])).toBeUndefined()
  expect(servesNamespace(evm, undefined)).toBe(true)
})
