import { BaseError } from '@gatefold/protocol'
import { mainnet, optimism } from 'viem/chains'
import { describe, expect, test, vi } from 'vitest'
import { connect, connectWallet } from './connect.ts'
import { disconnect, switchConnection } from './disconnect.ts'
import { push } from '../view/navigate.ts'
import { switchNetwork } from '../networks/switchNetwork.ts'
import { addRecentWallet } from '../wallets/addRecentWallet.ts'
import { getAccount } from './account.ts'
import { ConnectError, UserRejectedError } from '../kit/errors.ts'
import type { GatefoldOptions } from '../kit/options.ts'
import { memoryStorage } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'

const { start, kits, logged } = useKits()

describe('connecting', () => {
  test('§4.1.5 success stores the family, activates the connector and closes the modal', async () => {
    const { kit, wallets, events } = start()
    void kit.open()
    await connectWallet(kit, { connector: kit.getState().connectors[0]! })
    const { chains, namespace, view } = kit.getState()
    expect(chains.eip155).toMatchObject({ status: 'connected', connectorId: wallets.ids[0] })
    expect(namespace).toBe('eip155')
    expect(view.open).toBe(false)
    expect(kit.persisted.read()).toMatchObject({
      connections: { eip155: { [wallets.ids[0]]: 'connected' } },
      namespace: 'eip155',
    })
    expect(events.some((event) => event.startsWith('CONNECT_SUCCESS'))).toBe(true)
  })

  test('§5.6.5 error: connect() rejects an unknown family, adapter or connector', async () => {
    const { kit, wallets } = start()
    await expect(connect(kit, { connectorId: 'x.y' })).rejects.toThrow(
      'connectExternal: namespace not found',
    )
    await expect(connect(kit, { connectorId: 'x.y', namespace: 'solana' })).rejects.toThrow(
      'connectExternal: adapter not found',
    )
    await expect(connect(kit, { connectorId: 'x.y', namespace: 'eip155' })).rejects.toMatchObject({
      code: 'connect.connector_not_found',
      message: expect.stringContaining('connectExternal: connector not found'),
      metaMessages: [expect.stringContaining('x.y')],
    })
    expect(wallets.requested).toEqual([])
  })

  test('the request is sent synchronously', () => {
    const { kit, wallets } = start()
    void kit.open()
    void connectWallet(kit, { connector: kit.getState().connectors[0]! })
    expect(wallets.requested).toEqual([wallets.ids[0]])
  })

  test('§8.3/3 §8.11.4 error: a rejection sets the status rejected, not failed', async () => {
    const { kit, wallets, view } = start()
    wallets.faults.reject = true
    void kit.open()
    await connectWallet(kit, { connector: kit.getState().connectors[0]! })
    expect(kit.getState().attempt).toMatchObject({
      status: 'rejected',
      error: { shortMessage: 'Connection rejected' },
    })
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(view()).toBe('ConnectingExternal')
    await expect(connect(kit, { connectorId: wallets.ids[0] })).rejects.toThrow(UserRejectedError)
  })

  test('after a minute without a response, an attempt becomes silent, but can still succeed', async () => {
    const { kit, wallets } = start()
    wallets.faults.hang = true
    void kit.open()
    const attempt = connectWallet(kit, { connector: kit.getState().connectors[0]! })
    await expect.poll(() => kit.getState().attempt?.status).toBe('waiting')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(kit.getState().attempt?.status).toBe('silent')
    wallets.release()
    await attempt
    expect(kit.getState().chains.eip155?.status).toBe('connected')
  })

  test('an aborted attempt changes nothing', async () => {
    const { kit, wallets, events } = start()
    wallets.faults.hang = true
    void kit.open()
    const attempt = connectWallet(kit, { connector: kit.getState().connectors[0]! })
    await expect.poll(() => kit.getState().attempt?.status).toBe('waiting')
    kit.close()
    wallets.release()
    await attempt
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(events.some((event) => event.startsWith('CONNECT'))).toBe(false)
  })

  test('§5.6.5 error: connect() rejects an unknown connector or a missing adapter', async () => {
    const { kit } = start()
    await expect(connect(kit, { connectorId: 'unknown' })).rejects.toThrow(
      'connectExternal: namespace not found',
    )
    await expect(connect(kit, { connectorId: 'x', namespace: 'solana' })).rejects.toThrow(
      'adapter not found',
    )
  })
})

describe('several wallets', () => {
  test('§4.1.2 the stored state marks the active connector', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    await connect(kit, { connectorId: wallets.ids[1] })
    expect(kit.persisted.read().connections.eip155).toEqual({
      [wallets.ids[0]]: 'active',
      [wallets.ids[1]]: 'connected',
    })
    await disconnect(kit, { connectorId: wallets.ids[1] })
    expect(kit.persisted.read().connections.eip155).toEqual({
      [wallets.ids[0]]: 'connected',
      [wallets.ids[1]]: 'disconnected',
    })
  })

  test('connecting another wallet from the wallet list returns to that list', async () => {
    const { kit, wallets, view } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'ProfileWallets' })
    push(kit, { name: 'Connect' })
    await connectWallet(kit, { connector: kit.getState().connectors[1]! })
    expect(view()).toBe('ProfileWallets')
    expect(kit.getState().toast).toMatchObject({ variant: 'success' })
  })
})

describe('disconnecting', () => {
  test('§4.1.6 §4.1.8/2 §7.7.3/1 state and storage are reset, the event is emitted, and the modal closes', async () => {
    const { kit, wallets, events } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open()
    await disconnect(kit)
    const { chains, view } = kit.getState()
    expect(chains.eip155).toMatchObject({
      status: 'disconnected',
      connectorId: undefined,
      connections: [],
    })
    expect(getAccount(kit.getState())).toBeUndefined()
    expect(view.open).toBe(false)
    expect(kit.persisted.read().connections.eip155).toEqual({ [wallets.ids[0]]: 'disconnected' })
    expect(events).toContain('DISCONNECT_SUCCESS {"namespace":"eip155"}')
  })

  test('§4.1.8/1 a wallet without accounts is disconnected', async () => {
    const { kit, wallets, events } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.emit({ type: 'accountsChanged', connectorId: wallets.ids[0], accounts: [] })
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(events).toContain('DISCONNECT_SUCCESS {"namespace":"eip155"}')
  })

  test.each([
    ['a family’s error', new BaseError('Locked', { code: 'x' })],
    ['an unknown error', new TypeError('gone')],
  ])('§8.4 error: %s is reported and becomes a DisconnectError', async (_, cause) => {
    const { kit, wallets, events } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    kit.adapters.get('eip155')!.disconnect = () => Promise.reject(cause)
    await expect(disconnect(kit)).rejects.toMatchObject({
      code: 'wallet.disconnect_failed',
      shortMessage: 'Failed to disconnect',
      cause,
    })
    expect(events.at(-1)).toBe(`DISCONNECT_ERROR ${JSON.stringify({ message: String(cause) })}`)
  })

  test.each([
    [new BaseError('Locked', { code: 'x' }), 'Failed to disconnect chains: Locked'],
    [new TypeError('gone'), 'Failed to disconnect chains: gone'],
    [undefined, 'Failed to disconnect'],
  ])(
    '§8.4/5 error: with several families, the reason %s results in the message “%s”',
    async (cause, message) => {
      const { kit } = start({ adapters: [memoryAdapter().factory, toyFamily().factory] })
      kit.adapters.get('polkadot')!.disconnect = () => Promise.reject(cause)
      await expect(disconnect(kit)).rejects.toMatchObject({ shortMessage: message })
    },
  )

  test('§8.4/4 error: throws “Failed to disconnect” if the wallet rejects', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.faults.disconnect = true
    const error = await disconnect(kit).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ shortMessage: 'Failed to disconnect' })
    expect((error as Error).cause).toBeUndefined()
  })

  test('switching the wallet of a family without an adapter changes nothing', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    const before = kit.getState()
    await switchConnection(kit, { namespace: 'solana', connectorId: wallets.ids[0] })
    expect(kit.getState()).toBe(before)
  })
})

describe('restoring', () => {
  async function leave(options: Partial<GatefoldOptions> = {}) {
    const storage = memoryStorage()
    const { kit, wallets } = start({ storage })
    await connect(kit, { connectorId: wallets.ids[0] })
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    kits.splice(kits.indexOf(kit), 1)
    return { storage, ...options }
  }

  test('§4.1.3 a connected wallet is restored on its network', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    wallets.chainId = 10
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({
      status: 'connected',
      networkId: 'eip155:10',
    })
    expect(wallets.requested).toEqual([])
  })

  test('§4.1.3 §8.11.6 a failed restore ends disconnected, with a warning', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    wallets.faults.reconnect = true
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(logged.warn.mock.calls).toEqual([
      ['Gatefold: the earlier connection could not be restored.', expect.any(ConnectError)],
    ])
  })

  test('§4.1.6 disconnecting while a wallet is being restored disconnects that wallet', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    await disconnect(kit, { namespace: 'eip155', connectorId: wallets.ids[0] })
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(kit.persisted.read().connections.eip155).toEqual({ [wallets.ids[0]]: 'disconnected' })
  })

  test('§4.1.6 disconnecting one chain family does not wait for another family’s wallet', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    wallets.faults.hang = true
    await disconnect(kit, { namespace: 'solana' })
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    wallets.faults.hang = false
    wallets.release()
    await kit.ready()
    expect(kit.getState().chains.eip155?.status).toBe('connected')
  })

  describe('of two families, one of which is being restored', () => {
    const restoring = async () => {
      const evm = memoryAdapter()
      const { kit } = start({
        storage: (await leave()).storage,
        networks: [mainnet, optimism, toyNetworks[0]!],
        adapters: [evm.factory, toyFamily().factory],
      })
      return { kit, evm }
    }

    test('§4.1.6 disconnecting every wallet disconnects the restored one too', async () => {
      const { kit } = await restoring()
      await disconnect(kit)
      await kit.ready()
      expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected' })
    })

    test('§4.1.6 disconnecting the other family does not wait', async () => {
      const { kit, evm } = await restoring()
      evm.faults.hang = true
      await disconnect(kit, { namespace: 'polkadot' })
      expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    })
  })

  test('§4.1.4 with enableReconnect off, the page starts disconnected and disconnects the wallet', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage, enableReconnect: false })
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    await kit.ready()
    expect(wallets.released).toBe(true)
    expect(kit.persisted.read().connections.eip155).toEqual({ [wallets.ids[0]]: 'disconnected' })
  })

  test('§9.2/1 the two most recent wallets are stored, newest first', async () => {
    const storage = memoryStorage()
    const { kit } = start({ storage })
    for (const name of ['a', 'b', 'a', 'c']) addRecentWallet(kit, { id: name, name })
    const next = start({ storage })
    await next.kit.ready()
    expect(next.kit.persisted.read().recent).toEqual(['c', 'a'])
  })

  test('§9.12.3 with ssr, the first render matches the server’s, whatever is stored', async () => {
    const storage = (await leave()).storage
    const { kit } = start({ storage, ssr: true })
    expect(kit.getInitialState().chains.eip155).toMatchObject({ status: 'disconnected' })
    await kit.ready()
    expect(kit.getState().chains.eip155?.status).toBe('connected')
  })
})
