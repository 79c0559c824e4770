import { createStore } from 'mipd'
import { describe, expect, it, vi } from 'vitest'
import {
  alice,
  bob,
  codeOf,
  lower,
  recordEvents,
  useTestWallets,
} from './testing/useTestWallets.ts'

const { make, connected } = useTestWallets()

describe('announce()', () => {
  it('reaches EIP-6963 stores, including those created later, until it is stopped', () => {
    vi.stubGlobal('window', new EventTarget())
    const early = createStore()
    const wallet = make()
    const stop = wallet.announce()
    const late = createStore()
    expect(early.getProviders().map(({ info }) => info)).toEqual([wallet.info])
    expect(late.findProvider({ rdns: 'dev.gatefold.halyard' })?.provider).toBe(wallet.provider)
    expect(Object.isFrozen(late.getProviders()[0])).toBe(true)
    expect(wallet.info.uuid).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    )
    expect(wallet.info.icon).toMatch(/^data:image\/svg\+xml,/)
    stop()
    expect(createStore().getProviders()).toEqual([])
  })

  it('adds no globals to the page', () => {
    const page = new EventTarget()
    vi.stubGlobal('window', page)
    make().announce()
    expect(Reflect.ownKeys(page).filter((key) => String(key).includes('gatefold'))).toEqual([])
    expect(page).not.toHaveProperty('ethereum')
  })

  it('does nothing without a window', () => {
    expect(() => make().announce()()).not.toThrow()
  })
})

describe('permissions: the wallet', () => {
  it('exposes accounts only after approval', async () => {
    const wallet = make()
    const events = recordEvents(wallet)
    expect(await wallet.request('eth_accounts')).toEqual([])
    expect(await wallet.request('wallet_getPermissions')).toEqual([])
    expect(await wallet.request('eth_requestAccounts')).toEqual([
      lower(alice.address),
      lower(bob.address),
    ])
    expect(events).toContainEqual(['accountsChanged', [lower(alice.address), lower(bob.address)]])
    expect(await wallet.request('wallet_getPermissions')).toMatchObject([
      { parentCapability: 'eth_accounts', invoker: 'http://localhost' },
    ])
  })

  it('prompts again for wallet_requestPermissions, but not for eth_requestAccounts', async () => {
    const approval = vi.fn<() => Promise<boolean>>(async () => true)
    const wallet = await connected({ approval })
    expect(approval).toHaveBeenCalledTimes(1)
    await wallet.request('eth_requestAccounts')
    expect(approval).toHaveBeenCalledTimes(1)
    expect(await wallet.request('wallet_requestPermissions', { eth_accounts: {} })).toMatchObject([
      { caveats: [{ value: [lower(alice.address), lower(bob.address)] }] },
    ])
    expect(approval).toHaveBeenCalledTimes(2)
    await expect(wallet.request('wallet_requestPermissions', { files: {} })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('hides the accounts after wallet_revokePermissions', async () => {
    const wallet = await connected()
    const events = recordEvents(wallet)
    expect(await wallet.request('wallet_revokePermissions', { eth_accounts: {} })).toBeNull()
    expect(events).toContainEqual(['accountsChanged', []])
    expect(await wallet.request('eth_accounts')).toEqual([])
    await expect(wallet.request('personal_sign', '0x68', alice.address)).rejects.toMatchObject({
      code: 4100,
    })
  })

  it('restores permission, account and chain after a reload, for the same origin only', async () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    }
    const options = { storage, storageKey: 'halyard' }
    const first = await connected(options)
    first.controls.switchAccount(1)
    first.controls.switchChain(31338)
    const reloaded = make(options)
    expect(await reloaded.request('eth_accounts')).toEqual([
      lower(bob.address),
      lower(alice.address),
    ])
    expect(await reloaded.request('eth_chainId')).toBe('0x7a6a')
    const otherOrigin = make({ ...options, origin: 'https://other.example' })
    expect(await otherOrigin.request('eth_accounts')).toEqual([])
    const written = kept.get('halyard')!
    for (const unreadable of [
      written.slice(0, -2),
      written.replace('"version":1', '"version":0'),
    ]) {
      kept.set('halyard', unreadable)
      expect(await make(options).request('eth_accounts')).toEqual([])
    }
  })

  it('rejects a second connection request while one is pending', async () => {
    const wallet = make({ approval: 'window' })
    const first = wallet.request('eth_requestAccounts')
    await wallet.controls.waitFor('eth_requestAccounts')
    await expect(wallet.request('eth_requestAccounts')).rejects.toMatchObject({ code: -32002 })
    wallet.controls.pending[0]!.approve()
    expect(await first).toHaveLength(2)
  })
})

describe('approval: the wallet', () => {
  it('allows approving or rejecting requests in any order', async () => {
    const wallet = make({ approval: 'window' })
    const accounts = wallet.request('eth_requestAccounts')
    ;(await wallet.controls.waitFor()).approve()
    await accounts
    const one = wallet.request('personal_sign', '0x01', alice.address)
    const two = wallet.request('personal_sign', '0x02', alice.address)
    await expect.poll(() => wallet.controls.pending).toHaveLength(2)
    wallet.controls.pending[1]!.reject()
    await expect(two).rejects.toMatchObject({ code: 4001 })
    wallet.controls.pending[0]!.approve()
    expect(await one).toMatch(/^0x[\da-f]{130}$/)
    expect(wallet.controls.pending).toEqual([])
  })

  it('calls the approval function with the request', async () => {
    const wallet = await connected({ approval: (request) => request.method !== 'personal_sign' })
    await expect(wallet.request('personal_sign', '0x01', alice.address)).rejects.toMatchObject({
      code: 4001,
    })
  })

  it('logs every request in order, including reads', async () => {
    const wallet = await connected()
    await wallet.request('eth_blockNumber')
    expect(wallet.controls.requests.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'eth_blockNumber',
    ])
  })
})

describe('destroy()', () => {
  it('rejects pending and later requests with 4900', async () => {
    const wallet = make({ approval: 'window' })
    const open = wallet.request('eth_requestAccounts')
    await wallet.controls.waitFor()
    wallet.destroy()
    expect(await codeOf(open)).toBe(4900)
    expect(await codeOf(wallet.request('eth_chainId'))).toBe(4900)
  })
})

it('the provider emits connect to listeners that are added synchronously after its creation', async () => {
  const wallet = make({ approval: 'window' })
  const events = recordEvents(wallet)
  await wallet.provider.request({ method: 'eth_chainId' })
  expect(events).toEqual([['connect', { chainId: '0x7a69' }]])
})
