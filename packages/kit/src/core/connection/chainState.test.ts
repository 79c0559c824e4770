import { describe, expect, test } from 'vitest'

import { connectionReducer, currentConnection, initialChainState } from './chainState.ts'
import type { ChainState, ConnectionEvent } from './chainState.ts'
import type { Connection } from './Connection.ts'

const namespace = 'eip155' as const
const networks = [{ caipNetworkId: 'eip155:1' }, { caipNetworkId: 'eip155:10' }] as const
const wallet = (
  connectorId: string,
  caipNetworkId = 'eip155:1',
  ...addresses: string[]
): Connection => ({
  connectorId,
  caipNetworkId: caipNetworkId as never,
  accounts: (addresses.length ? addresses : [`0x${connectorId}`]).map((address) => ({
    namespace,
    address,
    type: 'eoa',
  })),
})
type WithoutNamespace<event> = event extends unknown ? Omit<event, 'namespace'> : never
type Change = WithoutNamespace<ConnectionEvent>
const run = (state: ChainState, ...events: Change[]) =>
  events.reduce((now, event) => connectionReducer(now, { ...event, namespace }, networks), state)
const connected = (connection: Connection, active = true): Change => ({
  type: 'connection.connected',
  connection,
  active,
})

const start = initialChainState('eip155:1')
const two = run(start, connected(wallet('a')), connected(wallet('b')))

describe('status', () => {
  test('§3.4/5 §4.1.1 disconnected → connecting → connected', () => {
    const connecting = run(start, { type: 'connection.connecting', connectorId: 'a' })
    expect([start.status, connecting.status]).toEqual(['disconnected', 'connecting'])
    expect(run(connecting, connected(wallet('a'))).status).toBe('connected')
  })

  test('§4.1.1 a failed attempt returns to disconnected', () => {
    const failed = run(
      start,
      { type: 'connection.connecting', connectorId: 'a' },
      { type: 'connection.settled' },
    )
    expect(failed).toEqual(start)
  })

  test('§4.1.3 a failed restore falls back to disconnected', () => {
    const trying = run(start, { type: 'connection.reconnecting' })
    expect(trying.status).toBe('reconnecting')
    expect(run(trying, { type: 'connection.settled' }).status).toBe('disconnected')
  })

  test('a second attempt does not disconnect the first wallet', () => {
    const one = run(start, connected(wallet('a')))
    const connecting = run(one, { type: 'connection.connecting', connectorId: 'b' })
    expect(connecting).toMatchObject({
      status: 'connected',
      connectorId: 'a',
      pendingConnectorId: 'b',
    })
  })

  test('a failed attempt to connect a second wallet keeps the first', () => {
    const one = run(start, connected(wallet('a')))
    const connecting = run(one, { type: 'connection.connecting', connectorId: 'b' })
    expect(run(connecting, { type: 'connection.settled' })).toEqual(one)
  })

  test('a pending attempt continues while other wallets connect and disconnect', () => {
    const connecting = run(
      start,
      { type: 'connection.connecting', connectorId: 'b' },
      connected(wallet('a')),
    )
    expect(connecting).toMatchObject({ status: 'connected', pendingConnectorId: 'b' })
    const alone = run(connecting, { type: 'connection.disconnected', connectorId: 'a' })
    expect(alone).toMatchObject({ status: 'connecting', pendingConnectorId: 'b' })
    expect(run(alone, connected(wallet('b')))).toMatchObject({
      status: 'connected',
      pendingConnectorId: undefined,
    })
  })

  test('while wallets are being restored, disconnecting one keeps the others connected', () => {
    const restoring = run(two, { type: 'connection.reconnecting' })
    for (const connectorId of ['a', 'b'])
      expect(run(restoring, { type: 'connection.disconnected', connectorId }).status).toBe(
        'connected',
      )
  })

  test('a wallet that connects without an account stays disconnected', () => {
    expect(run(start, connected({ connectorId: 'a', accounts: [] }))).toBe(start)
  })
})

describe('the active wallet', () => {
  test('§4.1.5 a successful connection makes its connector active', () => {
    expect(two.connectorId).toBe('b')
    expect(two.connections.map(({ connectorId }) => connectorId)).toEqual(['a', 'b'])
  })

  test('a connection with `active: false` does not replace the active one', () => {
    expect(run(start, connected(wallet('a')), connected(wallet('b'), false)).connectorId).toBe('a')
  })

  test('the first connection is active, even with `active: false`', () => {
    expect(run(start, connected(wallet('a'), false)).connectorId).toBe('a')
  })

  test('a wallet that connects again is updated in place', () => {
    const again = run(two, connected(wallet('a', 'eip155:10')))
    expect(again.connections).toEqual([wallet('a', 'eip155:10'), wallet('b')])
    expect(again).toMatchObject({ connectorId: 'a', networkId: 'eip155:10' })
  })

  test('§4.1.7/2 when the active wallet disconnects, the first remaining wallet becomes active', () => {
    const remaining = run(two, { type: 'connection.disconnected', connectorId: 'b' })
    expect(remaining).toMatchObject({ status: 'connected', connectorId: 'a' })
  })

  test('§4.1.7/1 when the last wallet disconnects, none is active', () => {
    const none = run(
      two,
      { type: 'connection.disconnected', connectorId: 'b' },
      { type: 'connection.disconnected', connectorId: 'a' },
    )
    expect(none).toMatchObject({ status: 'disconnected', connectorId: undefined, connections: [] })
  })

  test('disconnecting an inactive wallet does not change the active wallet', () => {
    const remaining = run(two, { type: 'connection.disconnected', connectorId: 'a' })
    expect(remaining.connectorId).toBe('b')
    const three = run(two, connected(wallet('c')))
    expect(run(three, { type: 'connection.disconnected', connectorId: 'a' }).connectorId).toBe('c')
  })

  test('an unknown family has no active connection', () => {
    expect(currentConnection(undefined)).toBeUndefined()
  })

  test('events from an unknown connector change nothing', () => {
    expect(run(two, { type: 'connection.disconnected', connectorId: 'x' })).toBe(two)
    expect(run(two, { type: 'connection.activated', connectorId: 'x' })).toBe(two)
  })
})

describe('accounts', () => {
  test('§4.1.8/1 an empty list of accounts disconnects the wallet', () => {
    const disconnected = run(two, {
      type: 'connection.accountsChanged',
      connectorId: 'b',
      accounts: [],
    })
    expect(disconnected).toMatchObject({ connectorId: 'a', status: 'connected' })
  })

  test('§4.1.8 when another wallet becomes active, its chain becomes the active network', () => {
    const onTwoChains = run(start, connected(wallet('a', 'eip155:10')), connected(wallet('b')))
    const disconnected = run(onTwoChains, {
      type: 'connection.accountsChanged',
      connectorId: 'b',
      accounts: [],
    })
    expect(disconnected).toMatchObject({
      connectorId: 'a',
      networkId: 'eip155:10',
      unsupportedNetworkId: undefined,
    })
  })

  test('an account change selects the new first account', () => {
    const { accounts } = wallet('b', 'eip155:1', '0xnew', '0xold')
    const changed = run(two, { type: 'connection.accountsChanged', connectorId: 'b', accounts })
    expect(currentConnection(changed)?.accounts[0]?.address).toBe('0xnew')
    expect(changed.connections[0]).toEqual(wallet('a'))
  })
})

describe('chains', () => {
  test('the active network follows the wallet to a configured chain', () => {
    const moved = run(two, {
      type: 'connection.chainChanged',
      connectorId: 'b',
      caipNetworkId: 'eip155:10',
    })
    expect(moved).toMatchObject({ networkId: 'eip155:10', unsupportedNetworkId: undefined })
  })

  test('§4.6.1/1 an unknown chain sets the unsupported state and keeps the active network', () => {
    const lost = run(two, {
      type: 'connection.chainChanged',
      connectorId: 'b',
      caipNetworkId: 'eip155:999',
    })
    expect(lost).toMatchObject({ networkId: 'eip155:1', unsupportedNetworkId: 'eip155:999' })
    const back = run(lost, {
      type: 'connection.chainChanged',
      connectorId: 'b',
      caipNetworkId: 'eip155:1',
    })
    expect(back.unsupportedNetworkId).toBeUndefined()
  })

  test('the chain of an inactive wallet is ignored until it becomes active', () => {
    const moved = run(two, {
      type: 'connection.chainChanged',
      connectorId: 'a',
      caipNetworkId: 'eip155:999',
    })
    expect(moved).toMatchObject({ networkId: 'eip155:1', unsupportedNetworkId: undefined })
    expect(moved.connections).toEqual([wallet('a', 'eip155:999'), wallet('b')])
    const used = run(moved, { type: 'connection.activated', connectorId: 'a' })
    expect(used.unsupportedNetworkId).toBe('eip155:999')
  })

  test('a chain change of an inactive wallet keeps the selected network', () => {
    const selected = run(two, { type: 'connection.networkSelected', networkId: 'eip155:10' })
    const moved = run(selected, {
      type: 'connection.chainChanged',
      connectorId: 'a',
      caipNetworkId: 'eip155:999',
    })
    expect(moved.networkId).toBe('eip155:10')
  })

  test('a wallet without a known chain keeps the active network', () => {
    const lost = run(start, connected(wallet('a', 'eip155:999')))
    const known = run(lost, connected({ ...wallet('b'), caipNetworkId: undefined }))
    expect(known).toMatchObject({ networkId: 'eip155:1', unsupportedNetworkId: undefined })
  })

  test('selecting a network ends the unsupported state; selecting the active one changes nothing', () => {
    const select = (networkId: 'eip155:1' | 'eip155:10'): Change => ({
      type: 'connection.networkSelected',
      networkId,
    })
    expect(run(two, select('eip155:10')).networkId).toBe('eip155:10')
    expect(run(two, select('eip155:1'))).toBe(two)
    const lost = run(two, connected(wallet('b', 'eip155:999')))
    expect(run(lost, select('eip155:1'))).toMatchObject({
      networkId: 'eip155:1',
      unsupportedNetworkId: undefined,
    })
  })
})
