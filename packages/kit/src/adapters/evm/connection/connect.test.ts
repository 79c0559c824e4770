import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { AlreadyConnectedError, ConnectError, UserRejectedError } from '../../../core/kit/errors.ts'
import { createPage, intercept, useChains } from '../testing/page.ts'
import type { Page } from '../testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'
const nacre = 'dev.gatefold.nacre'
const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const tomas = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account = (address: string) => ({ namespace: 'eip155', address, type: 'eoa' })
const methods = (wallet: ReturnType<Page['wallet']>) =>
  wallet.controls.requests.map(({ method }) => method)

/** Accounts 0 and 1 in the wallet. */
const two = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
] as const

describe('connect', () => {
  test('§4.1.5 §4.15/1 requests permission, then accounts, and activates the wallet', async () => {
    const wallet = page.wallet({ accounts: two })
    const { adapter, newEvents } = page.adapter()
    const connection = await adapter.connect({ connectorId: halyard })
    expect(connection).toEqual({
      connectorId: halyard,
      accounts: [account(mira), account(tomas)],
      caipNetworkId: 'eip155:31337',
    })
    expect(newEvents()).toEqual([{ type: 'connected', connection, active: true }])
    expect(methods(wallet)).toEqual(['wallet_requestPermissions', 'eth_accounts', 'eth_chainId'])
    expect(adapter.config.state).toMatchObject({ status: 'connected', chainId: 31337 })
  })

  test('§3.2.2 the record of the wallet has its accounts, chain and connector', async () => {
    page.wallet({ accounts: two })
    const { adapter } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    const { uid } = adapter.config.connectors.find(({ id }) => id === halyard)!
    expect(adapter.config.state.connections.get(uid)).toMatchObject({
      accounts: [mira, tomas],
      chainId: 31337,
      connector: { id: halyard, name: 'Halyard', type: 'injected', uid },
    })
  })

  test('§3.1 a wallet that has left window.ethereum has no provider', async () => {
    page.window.ethereum = page.wallet({ announced: false }).provider
    const { adapter } = page.adapter()
    await adapter.connect({ connectorId: 'injected' })
    expect(await adapter.getProvider()).toBe(page.window.ethereum)
    page.window.ethereum = undefined
    expect(await adapter.getProvider()).toBeUndefined()
  })

  test('§4.15/1 also requests permission from the wallet at window.ethereum', async () => {
    const wallet = page.wallet({ announced: false })
    page.window.ethereum = wallet.provider
    const { adapter, storage } = page.adapter()
    await adapter.connect({ connectorId: 'injected' })
    expect(methods(wallet)[0]).toBe('wallet_requestPermissions')
    await adapter.disconnect()
    expect(storage.getItem('wagmi.injected.disconnected')).toBe('true')
  })

  test('sends the request in the same task once its chunk is loaded', async () => {
    const wallet = page.wallet({ approval: 'window' })
    const { adapter } = page.adapter()
    await adapter.preload()
    void adapter.connect({ connectorId: halyard }).catch(() => {})
    // wagmi looks up the provider asynchronously, but in microtasks only, without a timer or frame.
    await Promise.resolve()
    await Promise.resolve()
    expect(methods(wallet)).toEqual(['wallet_requestPermissions'])
  })

  test('§4.15/2 switches to the requested network', async () => {
    const wallet = page.wallet()
    const { adapter } = page.adapter()
    const connection = await adapter.connect({
      connectorId: halyard,
      network: page.networks[1],
    })
    expect(connection.caipNetworkId).toBe('eip155:31338')
    expect(wallet.controls.chainId).toBe(31338)
    expect(adapter.config.state.chainId).toBe(31338)
  })

  test('requests accounts from a wallet without permission support', async () => {
    const wallet = page.wallet({ faults: { unsupported: ['wallet_requestPermissions'] } })
    const { adapter } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    expect(methods(wallet)).toContain('eth_requestAccounts')
  })

  test('error: §8.3/3 §8.11.4 after a rejection, no state remains, and the next attempt succeeds', async () => {
    page.wallet({ faults: { reject: 'next' } })
    const { adapter, newEvents } = page.adapter()
    const error = await adapter.connect({ connectorId: halyard }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(UserRejectedError)
    expect(error).toMatchObject({
      code: 'wallet.user_rejected',
      shortMessage: 'Connection rejected',
      cause: { code: 4001 },
    })
    expect(newEvents()).toEqual([])
    expect(adapter.config.state.status).toBe('disconnected')
    await expect(adapter.connect({ connectorId: halyard })).resolves.toBeDefined()
  })

  test('error: §8.11.4 a rejected network switch revokes the permission', async () => {
    const wallet = page.wallet({ faults: { reject: ['wallet_switchEthereumChain'] } })
    const { adapter, newEvents } = page.adapter()
    await expect(
      adapter.connect({ connectorId: halyard, network: page.networks[1] }),
    ).rejects.toBeInstanceOf(UserRejectedError)
    expect(wallet.controls.permitted).toBe(false)
    expect(newEvents()).toEqual([])
  })

  test('a wallet that cannot switch is connected on its current chain', async () => {
    page.wallet({ faults: { wrongChain: 'stay' } })
    const { adapter } = page.adapter()
    const connection = await adapter.connect({
      connectorId: halyard,
      network: page.networks[1],
    })
    expect(connection.caipNetworkId).toBe('eip155:31337')
  })

  test('error: §8.3/4 other failures have the wallet’s message as their details', async () => {
    page.wallet({ faults: { fail: 'all' } })
    const { adapter } = page.adapter()
    const error = await adapter.connect({ connectorId: halyard }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ConnectError)
    expect(error).toMatchObject({
      shortMessage: 'Failed to connect',
      details: 'Internal wallet error.',
    })
  })

  test('error: a wallet that shares no account is not connected', async () => {
    page.wallet({ faults: { lieAboutAccount: 'none' } })
    const { adapter, newEvents } = page.adapter()
    await expect(adapter.connect({ connectorId: halyard })).rejects.toBeInstanceOf(ConnectError)
    expect(newEvents()).toEqual([])
  })

  test('error: §5.6.7 connecting twice throws AlreadyConnectedError', async () => {
    page.wallet()
    const { adapter } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    await expect(adapter.connect({ connectorId: halyard })).rejects.toBeInstanceOf(
      AlreadyConnectedError,
    )
  })
})

describe('an aborted or superseded attempt', () => {
  test('rejects immediately, and a late approval is silently revoked', async () => {
    const wallet = page.wallet({ faults: { hang: 'next' } })
    const { adapter, newEvents } = page.adapter()
    const controller = new AbortController()
    const attempt = adapter.connect({ connectorId: halyard, signal: controller.signal })
    attempt.catch(() => {})
    const hung = await wallet.controls.waitFor('wallet_requestPermissions')
    expect(adapter.config.state.status).toBe('connecting')
    controller.abort()
    await expect(attempt).rejects.toBeInstanceOf(ConnectError)
    expect(adapter.config.state.status).toBe('disconnected')

    const permitted: boolean[] = []
    wallet.controls.watch(() => permitted.push(wallet.controls.permitted))
    hung.approve()
    await vi.waitFor(() => expect(permitted).toContain(true))
    await vi.waitFor(() => expect(permitted.at(-1)).toBe(false))
    expect(newEvents()).toEqual([])
    await expect(adapter.connect({ connectorId: halyard })).resolves.toBeDefined()
  })

  test('is silently revoked if the wallet approves a switch of the chain late', async () => {
    const wallet = page.wallet()
    const switched = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    intercept(wallet, async (args, pass) => {
      if (args.method === 'wallet_switchEthereumChain') {
        asked.resolve()
        await switched.promise
      }
      return pass(args)
    })
    const { adapter, newEvents } = page.adapter()
    const controller = new AbortController()
    const attempt = adapter.connect({
      connectorId: halyard,
      network: page.networks[1],
      signal: controller.signal,
    })
    attempt.catch(() => {})
    await asked.promise
    controller.abort()
    await expect(attempt).rejects.toBeInstanceOf(ConnectError)
    expect(wallet.controls.permitted).toBe(true)
    switched.resolve()
    await vi.waitFor(() => expect(wallet.controls.permitted).toBe(false))
    expect(newEvents()).toEqual([])
  })

  test('shares its pending wallet request with the next attempt', async () => {
    const wallet = page.wallet({ approval: 'window' })
    const { adapter, newEvents } = page.adapter()
    const controller = new AbortController()
    const first = adapter.connect({ connectorId: halyard, signal: controller.signal })
    first.catch(() => {})
    const prompt = await wallet.controls.waitFor('wallet_requestPermissions')
    controller.abort()
    await expect(first).rejects.toBeInstanceOf(ConnectError)
    const second = adapter.connect({ connectorId: halyard })
    await vi.waitFor(() => expect(wallet.controls.requests).toHaveLength(2))
    prompt.approve()
    await expect(second).resolves.toMatchObject({ connectorId: halyard })
    expect(wallet.controls.permitted).toBe(true)
    expect(newEvents()).toHaveLength(1)
  })

  test('has the same outcome as a second attempt that is made while the wallet hangs', async () => {
    const wallet = page.wallet({ faults: { hang: 'next' } })
    const { adapter, newEvents } = page.adapter()
    const first = adapter.connect({ connectorId: halyard })
    await wallet.controls.waitFor('wallet_requestPermissions')
    const connection = await adapter.connect({ connectorId: halyard })
    wallet.controls.pending[0]?.approve()
    await expect(first).resolves.toEqual(connection)
    expect(newEvents()).toHaveLength(1)
  })
})

describe('wallet events', () => {
  test('report changed accounts and chains, including chains that are not configured', async () => {
    const wallet = page.wallet({ accounts: two })
    const { adapter, newEvents } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    newEvents()
    wallet.controls.switchAccount(1)
    wallet.controls.switchChain(31338)
    wallet.controls.switchChain(424242)
    await vi.waitFor(() => expect(adapter.config.state.chainId).toBe(31338))
    expect(newEvents()).toEqual([
      {
        type: 'accountsChanged',
        connectorId: halyard,
        accounts: [account(tomas), account(mira)],
      },
      { type: 'chainChanged', connectorId: halyard, caipNetworkId: 'eip155:31338' },
      { type: 'chainChanged', connectorId: halyard, caipNetworkId: 'eip155:424242' },
    ])
  })

  test('§4.1.8/1 a wallet without accounts is disconnected', async () => {
    const wallet = page.wallet()
    const { adapter, newEvents } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    newEvents()
    wallet.controls.loseAccounts()
    await vi.waitFor(() =>
      expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: halyard }]),
    )
  })

  test('§4.1.9 code 1013 does not disconnect a wallet that has accounts', async () => {
    const wallet = page.wallet()
    const { adapter, newEvents } = page.adapter()
    // Records the listeners, to call them with the errors below. MetaMask emits code 1013 when its service
    // worker restarts.
    const listeners = new Set<(error: unknown) => void>()
    const on = wallet.provider.on.bind(wallet.provider)
    wallet.provider.on = ((event: string, listener: (error: unknown) => void) => {
      if (event === 'disconnect') listeners.add(listener)
      return on(event as 'disconnect', listener)
    }) as typeof on
    await adapter.connect({ connectorId: halyard })
    newEvents()
    const before = methods(wallet).length
    for (const listener of listeners) listener({ code: 1013, message: 'Disconnected' })
    await vi.waitFor(() => expect(methods(wallet).slice(before)).toEqual(['eth_accounts']))
    await Promise.resolve()
    expect(newEvents()).toEqual([])
    for (const listener of listeners) listener({ code: 4900, message: 'Disconnected' })
    await vi.waitFor(() =>
      expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: halyard }]),
    )
  })
})

describe('several wallets', () => {
  async function both() {
    page.wallet({ accounts: [two[0]] })
    const other = page.wallet({ accounts: [two[1]], name: 'Nacre', rdns: nacre })
    const made = page.adapter()
    await made.adapter.connect({ connectorId: halyard })
    await made.adapter.connect({ connectorId: nacre })
    return { ...made, other }
  }

  test('§4.1.2 stay connected, and the visitor can switch between them', async () => {
    const { adapter, newEvents } = await both()
    expect(newEvents()).toMatchObject([
      { type: 'connected', connection: { connectorId: halyard }, active: true },
      { type: 'connected', connection: { connectorId: nacre }, active: true },
    ])
    await adapter.switchConnection({ connectorId: halyard })
    expect(newEvents()).toEqual([{ type: 'activated', connectorId: halyard }])
    await expect(adapter.switchConnection({ connectorId: 'x.y' })).rejects.toMatchObject({
      code: 'wallet.not_connected',
    })
  })

  test('§4.1.7/2 when the active wallet disconnects, the first remaining wallet becomes active', async () => {
    const { adapter, other, newEvents } = await both()
    newEvents()
    other.controls.loseAccounts()
    await vi.waitFor(() =>
      expect(newEvents()).toEqual([
        { type: 'disconnected', connectorId: nacre },
        { type: 'activated', connectorId: halyard },
      ]),
    )
    expect(adapter.config.state.connections.size).toBe(1)
  })

  test('when an inactive wallet disconnects, the active wallet stays active', async () => {
    page.wallet({ accounts: [two[0]], name: 'Ballast', rdns: 'dev.gatefold.ballast' })
    const { adapter, newEvents } = await both()
    await adapter.connect({ connectorId: 'dev.gatefold.ballast' })
    newEvents()
    await adapter.disconnect({ connectorId: nacre })
    expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: nacre }])
    await adapter.disconnect()
    expect(newEvents()).toMatchObject([{ type: 'disconnected' }, { type: 'disconnected' }])
  })
})

describe('disconnect', () => {
  test('§4.15/3 §4.15/5 revokes the permission and records that the visitor disconnected', async () => {
    const wallet = page.wallet()
    const { adapter, newEvents, storage } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    newEvents()
    await adapter.disconnect()
    expect(wallet.controls.permitted).toBe(false)
    expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: halyard }])
    expect(storage.getItem(`wagmi.${halyard}.disconnected`)).toBe('true')
  })

  test('§4.15/4 §9.6.4 waits at most 100 ms for a wallet that does not respond', async () => {
    page.wallet({ faults: { hang: ['wallet_revokePermissions'] } })
    const { adapter, newEvents } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    newEvents()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let done = false
      const disconnecting = adapter.disconnect().then(() => (done = true))
      await vi.advanceTimersByTimeAsync(99)
      expect(done).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      await disconnecting
      expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: halyard }])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a disconnected wallet can connect again from its own window', async () => {
    const wallet = page.wallet()
    const { adapter, newEvents } = page.adapter()
    await adapter.connect({ connectorId: halyard })
    await adapter.disconnect()
    newEvents()
    await wallet.provider.request({ method: 'eth_requestAccounts' })
    await vi.waitFor(() => expect(newEvents()).toMatchObject([{ type: 'connected', active: true }]))
  })

  test('a wallet can disconnect and reconnect while the storage is full or blocked', async () => {
    page.wallet()
    const broken = () => {
      throw new DOMException('no', 'QuotaExceededError')
    }
    const { adapter } = page.adapter({
      storage: { getItem: broken, setItem: broken, removeItem: broken },
    })
    await adapter.connect({ connectorId: halyard })
    await adapter.disconnect()
    await expect(adapter.connect({ connectorId: halyard })).resolves.toBeDefined()
  })
})
