import { describe, expect, test, vi } from 'vitest'

import { signMessage } from '../account/sign.ts'
import { ConnectError } from '../kit/errors.ts'
import type { GatefoldOptions } from '../kit/options.ts'
import type { NetworkInput } from '../networks/Network.ts'
import { memoryStorage } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { stubPage } from '../testing/stubPage.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { toyAddress, toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { getAccount, isConnectedBy } from './account.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { showSessionEnd } from './followSession.ts'

const { start, logged } = useKits()

const evm: NetworkInput = {
  id: 1,
  name: 'One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://localhost:9'] } },
}
const evmAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const accounts = { eip155: `eip155:1:${evmAddress}` }

/** A site on two chain families, with a relay connector whose session serves both. */
function site(options: Partial<GatefoldOptions> = {}) {
  const relay = toyConnector()
  const toy = toyFamily()
  const started = start({
    networks: [evm, ...toyNetworks],
    connectors: [relay.factory],
    ...options,
  })
  const { kit } = started
  const pair = async (namespace?: 'eip155' | 'polkadot') => {
    const connecting = connect(kit, { connectorId: 'toy.relay', namespace })
    await expect.poll(() => kit.getState().attempt?.progress?.uri).toBe('toy:1')
    relay.approve()
    return connecting
  }
  const families = () =>
    (['eip155', 'polkadot'] as const).filter((namespace) =>
      isConnectedBy(kit.getState(), 'toy.relay', namespace),
    )
  return { ...started, relay, toy, pair, families }
}

describe('without adapters', () => {
  const alone = (options: Partial<GatefoldOptions> = {}) => site({ adapters: [], ...options })

  test('a session connects every family that it grants', async () => {
    const { kit, pair, families } = alone()
    expect(await pair()).toMatchObject({ namespace: 'eip155', address: evmAddress })
    expect(families()).toEqual(['eip155', 'polkadot'])
    expect(kit.getState().chains.polkadot).toMatchObject({
      status: 'connected',
      connectorId: 'toy.relay',
      networkId: `polkadot:${toyNetworks[0]!.id}`,
    })
    expect(getAccount(kit.getState(), 'polkadot')?.address).toBe(toyAddress)
  })

  test('the requested family becomes the active one', async () => {
    const { kit, pair } = alone()
    expect(await pair('polkadot')).toMatchObject({ namespace: 'polkadot', address: toyAddress })
    expect(kit.getState().namespace).toBe('polkadot')
  })

  test('without a requested family, the active one stays active', async () => {
    const { kit, pair } = alone()
    kit.dispatch({ type: 'namespace.activated', namespace: 'polkadot' })
    expect(await pair()).toMatchObject({ namespace: 'polkadot', address: toyAddress })
    expect(kit.getState().namespace).toBe('polkadot')
  })

  test('a session without the requested family connects the granted one', async () => {
    const { kit, relay, pair, families } = alone()
    relay.granted = ['polkadot']
    expect(await pair('eip155')).toMatchObject({ namespace: 'polkadot', address: toyAddress })
    expect(families()).toEqual(['polkadot'])
    expect(kit.getState()).toMatchObject({
      namespace: 'polkadot',
      chains: { eip155: { status: 'disconnected', pendingConnectorId: undefined } },
    })
  })

  test('a family that the session does not grant can be requested again', async () => {
    const { relay, pair, families } = alone()
    relay.granted = ['polkadot']
    await pair()
    relay.granted = ['eip155', 'polkadot']
    const connecting = pair('eip155')
    await expect.poll(() => relay.requests).toHaveLength(2)
    expect(await connecting).toMatchObject({ namespace: 'eip155' })
    expect(families()).toEqual(['eip155', 'polkadot'])
  })

  test('§4.1.8 a family without accounts is disconnected, and the session ends with the last family', async () => {
    const { kit, relay, pair, families } = alone()
    await pair()
    relay.revoke('eip155')
    await expect.poll(() => families()).toEqual(['polkadot'])
    expect(kit.getState().sessions['toy.relay']?.end).toBeUndefined()
    relay.revoke('polkadot')
    await expect.poll(() => kit.getState().sessions['toy.relay']?.end).toBe('site')
  })

  test('§4.1.8 a family that the next session does not grant is disconnected', async () => {
    const { relay, pair, families } = alone()
    await pair()
    relay.granted = ['polkadot']
    await pair()
    await expect.poll(() => families()).toEqual(['polkadot'])
    expect(logged.warn).not.toHaveBeenCalled()
  })

  test('the accounts follow the session', async () => {
    const { kit, relay, pair } = alone()
    await pair()
    relay.grant('eip155', ['0xsecond'])
    await expect.poll(() => getAccount(kit.getState(), 'eip155')?.address).toBe('0xsecond')
    expect(kit.getState().chains.eip155?.connections).toHaveLength(1)
  })

  test('a family that was disconnected stays disconnected when the session changes', async () => {
    const { relay, pair, families } = alone()
    await pair()
    relay.revoke('polkadot')
    await expect.poll(() => families()).toEqual(['eip155'])
    relay.grant('polkadot', [toyAddress])
    await vi.advanceTimersByTimeAsync(1)
    expect(families()).toEqual(['eip155'])
  })

  test('a session that changes does not become the active connection', async () => {
    const { kit, relay, pair } = alone()
    await pair()
    const other = { ...kit.getState().chains.eip155!.connections[0]!, connectorId: 'other' }
    kit.dispatch({
      type: 'connection.connected',
      namespace: 'eip155',
      connection: other,
      active: true,
    })
    relay.grant('eip155', ['0xsecond'])
    await expect
      .poll(() => kit.getState().chains.eip155)
      .toMatchObject({
        connectorId: 'other',
        connections: [{ accounts: [{ address: '0xsecond' }] }, other],
      })
  })

  test('§4.1.3 a session is restored after a reload', async () => {
    const storage = memoryStorage()
    const { kit, pair } = alone({ storage })
    await pair()
    kit.destroy()
    const next = alone({ storage })
    await next.kit.ready()
    expect(next.families()).toEqual(['eip155', 'polkadot'])
    expect(next.relay.requests).toEqual([])
  })

  test('§4.1.4 with enableReconnect off, a stored session is ended', async () => {
    const storage = memoryStorage()
    const { kit, pair } = alone({ storage })
    await pair()
    kit.destroy()
    const next = alone({ storage, enableReconnect: false })
    await next.kit.ready()
    expect(next.families()).toEqual([])
    expect(storage.getItem('toy.session')).toBeNull()
  })

  test('§8.11.6 error: a session that cannot be restored is logged', async () => {
    const storage = memoryStorage()
    storage.setItem('toy.session', '1')
    const { kit, relay, families } = alone({ storage, ssr: true })
    relay.granted = []
    await kit.ready()
    expect(families()).toEqual([])
    expect(logged.warn.mock.calls).toEqual([
      ['Gatefold: the earlier session could not be restored.', expect.any(ConnectError)],
    ])
    expect(storage.getItem('toy.session')).toBeNull()
  })

  test('a connector without a session is not restored', async () => {
    const { kit, families } = alone()
    await kit.ready()
    expect(families()).toEqual([])
    expect(logged.warn).not.toHaveBeenCalled()
  })

  test('error: connect() rejects a family that the connector does not serve', async () => {
    const { kit } = alone()
    await expect(
      connect(kit, { connectorId: 'toy.relay', namespace: 'solana' }),
    ).rejects.toMatchObject({
      code: 'connect.adapter_not_found',
      cause: { code: 'adapter.not_found' },
    })
    await expect(connect(kit, { connectorId: 'unknown' })).rejects.toMatchObject({
      code: 'connect.namespace_not_found',
      metaMessages: [expect.stringContaining('unknown')],
    })
  })

  test('error: signing needs an adapter', async () => {
    const { kit, pair } = alone()
    await pair()
    await expect(signMessage(kit, { message: 'hello' })).rejects.toMatchObject({
      code: 'wallet.not_connected',
    })
  })
})

describe('with two adapters', () => {
  const both = () => {
    const wallets = memoryAdapter()
    const toy = toyFamily()
    return { ...site({ adapters: [wallets.factory, toy.factory] }), wallets }
  }

  test('connect() resolves with the session’s account, not with another wallet’s', async () => {
    const { kit, relay, wallets, pair } = both()
    await connect(kit, { connectorId: wallets.ids[0] })
    relay.granted = ['polkadot']
    expect(await pair('eip155')).toMatchObject({ namespace: 'polkadot', address: toyAddress })
  })

  test('error: a session without an account is ended, even if another wallet is connected', async () => {
    const { kit, relay, wallets, pair } = both()
    await connect(kit, { connectorId: wallets.ids[0] })
    relay.granted = []
    await expect(pair()).rejects.toMatchObject({ code: 'wallet.no_account' })
    expect(kit.getState().sessions['toy.relay']?.end).toBe('site')
  })

  test('§4.1.8 the adapter of a family without accounts is notified', async () => {
    const { kit, relay, pair } = both()
    await pair()
    const detached: unknown[] = []
    kit.adapters.get('eip155')!.detach = (parameters) => detached.push(parameters)
    relay.revoke('eip155')
    await expect.poll(() => detached).toEqual([{ connectorId: 'toy.relay' }])
  })
})

test('an adapter follows its session itself, so that the session is attached once', async () => {
  const { kit, relay, pair } = site()
  const adapter = kit.adapters.get('eip155')!
  const attach = adapter.attach.bind(adapter)
  let attached = 0
  adapter.attach = (parameters) => {
    attached += 1
    return attach(parameters)
  }
  await pair()
  relay.grant('eip155', ['0xsecond'])
  await vi.advanceTimersByTimeAsync(1)
  expect(attached).toBe(1)
})

test('a session that loses its accounts while it is being restored is not ended', async () => {
  stubPage('complete')
  const storage = memoryStorage()
  const state = { connections: { eip155: { 'toy.relay': 'connected', hanging: 'active' } } }
  storage.setItem('gatefold', JSON.stringify({ version: 0, state: { ...state, accounts } }))
  storage.setItem('toy.session', '1')
  const relay = toyConnector()
  relay.granted = []
  const { kit } = start({ storage, connectors: [relay.factory] })
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(1)
  expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
  expect(isConnectedBy(kit.getState(), 'toy.relay')).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  await kit.ready()
  expect(isConnectedBy(kit.getState(), 'toy.relay')).toBe(false)
  expect(storage.getItem('toy.session')).toBe('1')
})

describe('with one adapter', () => {
  test('only its family is connected', async () => {
    const { pair, families } = site()
    await pair()
    expect(families()).toEqual(['eip155'])
  })

  test('error: a family without an adapter is not requested, even if the connector supports it', async () => {
    const relay = toyConnector()
    const { kit } = site({
      connectors: [(context) => ({ ...relay.factory(context), chains: ['eip155', 'polkadot'] })],
    })
    await expect(
      connect(kit, { connectorId: 'toy.relay', namespace: 'polkadot' }),
    ).rejects.toMatchObject({ code: 'connect.adapter_not_found' })
    expect(relay.requests).toEqual([])
  })

  test('a family without an adapter is not connected, even if the session grants it', async () => {
    const relay = toyConnector()
    const caipNetworkId = `polkadot:${toyNetworks[0]!.id}` as const
    const polkadot = {
      accounts: [{ address: toyAddress, caipNetworkId }],
      networkIds: [caipNetworkId],
      methods: [],
    }
    const { kit, families } = site({
      connectors: [
        (context) => {
          const connector = relay.factory(context)
          return {
            ...connector,
            async connect(parameters) {
              const session = await connector.connect(parameters)
              const state = session.getState()
              const grants = { ...state.grants, polkadot }
              return { ...session, getState: () => ({ ...state, grants }) }
            },
          }
        },
      ],
    })
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    relay.approve()
    await connecting
    expect(families()).toEqual(['eip155'])
  })

  test('disconnecting another family keeps the session', async () => {
    const { kit, pair, families } = site()
    await pair()
    await disconnect(kit, { namespace: 'polkadot' })
    await disconnect(kit, { connectorId: 'dev.gatefold.nacre' })
    expect(families()).toEqual(['eip155'])
    expect(kit.getState().sessions['toy.relay']?.end).toBeUndefined()
    await disconnect(kit, { connectorId: 'toy.relay' })
    expect(kit.getState().sessions['toy.relay']?.end).toBe('site')
  })
})

describe('a session that ends', () => {
  test.each([
    ['user', 'Toy Phone ended the connection'],
    ['failed', 'Toy Phone ended the connection'],
    ['expired', 'Your connection to Toy Phone expired'],
  ] as const)(
    'for the reason “%s”, shows Connect in the open modal, with the toast “%s”',
    async (reason, message) => {
      const { kit, relay, pair } = site()
      await pair()
      void kit.open()
      relay.end(reason)
      await expect.poll(() => kit.getState().toast).toMatchObject({ variant: 'info', message })
      expect(kit.getState().view).toMatchObject({ open: true, history: [{ name: 'Connect' }] })
    },
  )

  test.each(['site', 'superseded'] as const)(
    'for the reason “%s”, closes the modal',
    async (reason) => {
      const { kit, relay, pair } = site()
      await pair()
      void kit.open()
      relay.end(reason)
      await vi.advanceTimersByTimeAsync(10)
      expect(kit.getState()).toMatchObject({ toast: undefined, view: { open: false } })
    },
  )

  test.each([
    ['Toy Phone', 'toy.relay', 'Toy Phone'],
    ['', 'toy.relay', 'Toy Relay'],
    [undefined, 'toy.relay', 'Toy Relay'],
    [undefined, 'other', 'other'],
  ])(
    'of a wallet named %j on the connector %s, shows a toast with the name %s',
    (peer, connectorId, name) => {
      const { kit } = site()
      if (peer !== undefined)
        kit.dispatch({
          type: 'session.changed',
          session: { id: '1', connectorId, peer: { name: peer }, grants: {}, method: 'qrcode' },
        })
      showSessionEnd(kit, connectorId)
      expect(kit.getState().toast?.message).toBe(`${name} ended the connection`)
    },
  )

  test('while the modal is closed, shows nothing', async () => {
    const { kit, relay, pair } = site()
    await pair()
    relay.end('user')
    await vi.advanceTimersByTimeAsync(10)
    expect(kit.getState()).toMatchObject({ toast: undefined, view: { open: false } })
  })
})

describe('a session that was approved for an earlier page', () => {
  test('is connected and reported', async () => {
    const { kit, relay, events, families } = site()
    void kit.open()
    relay.approveEarlier()
    await expect.poll(() => kit.getState().view.open).toBe(false)
    expect(families()).toEqual(['eip155'])
    expect(events.some((event) => event.startsWith('CONNECT_SUCCESS'))).toBe(true)
  })

  test('ends a pending attempt', async () => {
    const { kit, relay, families } = site()
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    connecting.catch(() => {})
    await expect.poll(() => kit.getState().attempt).toBeDefined()
    relay.approveEarlier()
    await expect.poll(() => families()).toEqual(['eip155'])
    await expect(connecting).rejects.toMatchObject({ code: 'modal.closed' })
    expect(kit.getState().attempt).toBeUndefined()
  })

  test('error: is logged and ended if it has no account', async () => {
    const { kit, relay, families } = site()
    relay.granted = []
    relay.approveEarlier()
    await expect
      .poll(() => logged.warn.mock.calls)
      .toEqual([
        ['Gatefold: the approved session could not be connected.', expect.any(ConnectError)],
      ])
    expect(families()).toEqual([])
    expect(kit.getState().sessions['toy.relay']?.end).toBe('site')
  })
})

test.each([
  ['Origin not allowed', 'p1', 'ORIGIN_NOT_ALLOWED'],
  ['Origin not allowed', undefined, 'PROJECT_ID_NOT_CONFIGURED'],
  ['something else', undefined, 'RELAY_REFUSED'],
])('§8.8.2 the server’s message “%s” to project %s raises %s', async (message, projectId, code) => {
  const { kit, relay } = site({
    debug: true,
    projectId,
    endpoints: { relay: 'https://relay.example' },
  })
  relay.refuse(message)
  await vi.dynamicImportSettled()
  expect(kit.getState().alerts[0]?.code).toBe(code)
})
