import { type Hex, verifyMessage } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import {
  alice,
  bob,
  carol,
  codeOf,
  lower,
  recordEvents,
  useTestWallets,
} from '../testing/useTestWallets.ts'

const { make, connected } = useTestWallets()

describe('a wallet with faults', () => {
  it('rejects only the next request, without a prompt', async () => {
    const approval = vi.fn<() => Promise<boolean>>(async () => true)
    const wallet = make({ approval, faults: { reject: 'next' } })
    expect(await codeOf(wallet.request('eth_requestAccounts'))).toBe(4001)
    expect(approval).not.toHaveBeenCalled()
    expect(await wallet.request('eth_requestAccounts')).toHaveLength(2)
  })

  it('rejects every request that needs approval, or every request with a listed method', async () => {
    const wallet = await connected()
    wallet.controls.set({ reject: 'all' })
    expect(await codeOf(wallet.request('personal_sign', '0x', alice.address))).toBe(4001)
    expect(await codeOf(wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' }))).toBe(
      4001,
    )
    expect(await wallet.request('eth_blockNumber')).toMatch(/^0x/)
    wallet.controls.set({ reject: ['eth_blockNumber'] })
    expect(await codeOf(wallet.request('eth_blockNumber'))).toBe(4001)
    expect(await wallet.request('personal_sign', '0x', alice.address)).toMatch(/^0x/)
  })

  it('leaves a request pending until the test approves it, without blocking the next request', async () => {
    const wallet = make({ faults: { hang: 'next' } })
    const silent = wallet.request('eth_requestAccounts')
    const held = await wallet.controls.waitFor('eth_requestAccounts')
    expect(held.hung).toBe(true)
    expect(await wallet.request('eth_requestAccounts')).toHaveLength(2)
    held.approve()
    expect(await silent).toHaveLength(2)
  })

  it('leaves listed reads pending until the test rejects them', async () => {
    const wallet = await connected({ faults: { hang: ['eth_accounts'] } })
    const silent = wallet.request('eth_accounts')
    ;(await wallet.controls.waitFor('eth_accounts')).reject()
    expect(await codeOf(silent)).toBe(4001)
  })

  it('rejects the next request with -32603', async () => {
    const wallet = make({ faults: { fail: 'next' } })
    expect(await codeOf(wallet.request('eth_requestAccounts'))).toBe(-32603)
  })

  it('delays every response', async () => {
    vi.useFakeTimers()
    const wallet = make({ faults: { delayMs: 5000 } })
    const settled = vi.fn<() => void>()
    void wallet.request('eth_chainId').then(settled)
    void wallet.request('eth_unknown').catch(settled)
    await vi.advanceTimersByTimeAsync(4999)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toHaveBeenCalledTimes(2)
  })

  it('reports success for a chain switch, but stays on the old chain or switches to another one', async () => {
    const wallet = await connected({ faults: { wrongChain: 'stay' } })
    const events = recordEvents(wallet)
    expect(await wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' })).toBeNull()
    expect(await wallet.request('eth_chainId')).toBe('0x7a69')
    wallet.controls.set({ wrongChain: 10 })
    await wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' })
    expect(await wallet.request('eth_chainId')).toBe('0xa')
    expect(events.filter((event) => String(event).startsWith('chainChanged'))).toEqual([
      ['chainChanged', '0xa'],
    ])
  })

  it('rejects with 4900 while disconnected', async () => {
    const wallet = await connected()
    const events = recordEvents(wallet)
    wallet.controls.disconnect()
    expect(events).toContainEqual(['disconnect', { code: 4900 }])
    expect(wallet.provider.isConnected()).toBe(false)
    expect(await codeOf(wallet.request('eth_chainId'))).toBe(4900)
    wallet.controls.connect()
    expect(events.at(-1)).toEqual(['connect', { chainId: '0x7a69' }])
    expect(await wallet.request('eth_chainId')).toBe('0x7a69')
  })

  it('revokes the page’s permission', async () => {
    const wallet = await connected()
    const events = recordEvents(wallet)
    wallet.controls.loseAccounts()
    expect(events).toContainEqual(['accountsChanged', []])
    expect(wallet.controls.permitted).toBe(false)
  })

  it('hides its accounts while locked, and unlocks on the next connection request', async () => {
    const wallet = await connected()
    wallet.controls.lock()
    expect(await wallet.request('eth_accounts')).toEqual([])
    expect(await codeOf(wallet.request('personal_sign', '0x', alice.address))).toBe(4100)
    expect(await wallet.request('eth_requestAccounts')).toHaveLength(2)
    expect(wallet.controls.locked).toBe(false)
  })

  it('switches the account', async () => {
    const wallet = await connected()
    const events = recordEvents(wallet)
    wallet.controls.switchAccount(1)
    expect(events).toContainEqual(['accountsChanged', [lower(bob.address), lower(alice.address)]])
    expect(() => wallet.controls.switchAccount(7)).toThrow('no account 7')
  })

  it('reports an account it does not own, but signs with its own key', async () => {
    const wallet = await connected({ faults: { lieAboutAccount: carol } })
    expect(await wallet.request('eth_accounts')).toEqual([carol])
    const signature = (await wallet.request('personal_sign', '0x68', carol)) as Hex
    expect(await verifyMessage({ address: carol, message: 'h', signature })).toBe(false)
    expect(await verifyMessage({ address: alice.address, message: 'h', signature })).toBe(true)
    wallet.controls.set({ lieAboutAccount: 'none' })
    expect(await wallet.request('eth_requestAccounts')).toEqual([])
  })

  it('emits no events while muted', async () => {
    const wallet = await connected({ faults: { mute: true } })
    const events = recordEvents(wallet)
    wallet.controls.switchChain(31338)
    wallet.controls.disconnect()
    expect(events).toEqual([])
    expect(wallet.controls.chainId).toBe(31338)
  })

  it('rejects disabled and unknown methods with 4200', async () => {
    const wallet = await connected({ faults: { unsupported: ['wallet_revokePermissions'] } })
    for (const method of [
      'wallet_revokePermissions',
      'wallet_grantPermissions',
      'eth_signTypedData_v3',
      'debug_traceCall',
      'anvil_setBalance',
      'constructor',
      '__proto__',
      'toString',
      'eth_',
      'personal_ecRecover',
      ...Array.from({ length: 200 }, (_, index) => `eth_${(index * 7919).toString(36)}`),
    ]) {
      expect([method, await codeOf(wallet.request(method))]).toEqual([method, 4200])
    }
  })

  it('clears all faults on reset', async () => {
    const wallet = await connected()
    wallet.controls.set({ reject: 'all', delayMs: 60_000 })
    wallet.controls.lock()
    wallet.controls.disconnect()
    wallet.controls.reset()
    expect(await wallet.request('personal_sign', '0x', alice.address)).toMatch(/^0x/)
  })
})
