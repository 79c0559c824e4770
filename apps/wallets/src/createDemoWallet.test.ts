import { type Chain, startChain } from '@gatefold/chain'
import { createStore } from 'mipd'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  parseEther,
  parseTransaction,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDemoWallet, type DemoWallet } from './createDemoWallet.ts'
import { createTestWallet, demoAccounts } from './testing.ts'

const alice = privateKeyToAccount(demoAccounts(0)[0]!)
const bob = privateKeyToAccount(demoAccounts(1)[0]!)
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const lower = (address: Address) => address.toLowerCase()
/** Deploys code that reverts every call with the 32-byte number 0x42. */
const brokenContract = '0x69604260005260206000fd600052600a6016f3'

let home: Chain
let away: Chain
let chains: { id: number; rpcUrl: string; name: string }[]
const wallets: DemoWallet[] = []

beforeAll(async () => {
  ;[home, away] = await Promise.all([
    startChain({ chainId: 31337 }),
    startChain({ chainId: 31338 }),
  ])
  chains = [
    { id: 31337, rpcUrl: home.url, name: 'Home' },
    { id: 31338, rpcUrl: away.url, name: 'Away' },
  ]
})
afterAll(() => Promise.all([home?.stop(), away?.stop()]))
afterEach(() => {
  for (const wallet of wallets.splice(0)) wallet.destroy()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function make(options: Partial<createDemoWallet.Options> = {}) {
  const wallet = createTestWallet({ chains, accounts: demoAccounts(0, 1), ...options })
  wallets.push(wallet)
  const request = (method: string, ...params: unknown[]) =>
    wallet.provider.request({ method, params })
  return { ...wallet, request }
}

async function connected(options: Partial<createDemoWallet.Options> = {}) {
  const wallet = make(options)
  await wallet.request('eth_requestAccounts')
  return wallet
}

function viemOf(wallet: Pick<DemoWallet, 'provider'>, account: Address = alice.address) {
  const chain = defineChain({
    id: 31337,
    name: 'Home',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [home.url] } },
  })
  return {
    wallet: createWalletClient({ account, chain, transport: custom(wallet.provider) }),
    chain: createPublicClient({ chain, transport: http(), pollingInterval: 50 }),
  }
}

function heard(wallet: Pick<DemoWallet, 'provider'>) {
  const events: unknown[] = []
  for (const name of ['accountsChanged', 'chainChanged', 'disconnect', 'connect'] as const) {
    wallet.provider.on(name, (payload) => {
      events.push([name, payload instanceof Error ? { code: payload.code } : payload])
    })
  }
  return events
}

describe('announcing', () => {
  it('is found by an EIP-6963 store that asks before and after, and not once stopped', () => {
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

  it('leaves nothing in the page but its answer to EIP-6963', () => {
    const page = new EventTarget()
    vi.stubGlobal('window', page)
    make().announce()
    expect(Reflect.ownKeys(page).filter((key) => String(key).includes('gatefold'))).toEqual([])
    expect(page).not.toHaveProperty('ethereum')
  })

  it('does nothing where there is no window', () => {
    expect(() => make().announce()()).not.toThrow()
  })
})

describe('permissions', () => {
  it('gives no account before it was asked, and all of them after', async () => {
    const wallet = make()
    const events = heard(wallet)
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

  it('asks again for wallet_requestPermissions, and not for eth_requestAccounts', async () => {
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

  it('takes the accounts back on wallet_revokePermissions', async () => {
    const wallet = await connected()
    const events = heard(wallet)
    expect(await wallet.request('wallet_revokePermissions', { eth_accounts: {} })).toBeNull()
    expect(events).toContainEqual(['accountsChanged', []])
    expect(await wallet.request('eth_accounts')).toEqual([])
    await expect(wallet.request('personal_sign', '0x68', alice.address)).rejects.toMatchObject({
      code: 4100,
    })
  })

  it('remembers an origin, the account and the chain across a reload, and no other origin', async () => {
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
    const elsewhere = make({ ...options, origin: 'https://elsewhere.example' })
    expect(await elsewhere.request('eth_accounts')).toEqual([])
    const written = kept.get('halyard')!
    for (const unreadable of [
      written.slice(0, -2),
      written.replace('"version":1', '"version":0'),
    ]) {
      kept.set('halyard', unreadable)
      expect(await make(options).request('eth_accounts')).toEqual([])
    }
  })

  it('refuses a second request to connect while one is open', async () => {
    const wallet = make({ approval: 'window' })
    const first = wallet.request('eth_requestAccounts')
    await wallet.controls.waitFor('eth_requestAccounts')
    await expect(wallet.request('eth_requestAccounts')).rejects.toMatchObject({ code: -32002 })
    wallet.controls.pending[0]!.approve()
    expect(await first).toHaveLength(2)
  })
})

describe('approving', () => {
  it('waits for the person, who can approve or reject in any order', async () => {
    const wallet = make({ approval: 'window' })
    const accounts = wallet.request('eth_requestAccounts')
    ;(await wallet.controls.waitFor()).approve()
    await accounts
    const one = wallet.request('personal_sign', '0x01', alice.address)
    const two = wallet.request('personal_sign', '0x02', alice.address)
    await vi.waitFor(() => expect(wallet.controls.pending).toHaveLength(2))
    wallet.controls.pending[1]!.reject()
    await expect(two).rejects.toMatchObject({ code: 4001 })
    wallet.controls.pending[0]!.approve()
    expect(await one).toMatch(/^0x[\da-f]{130}$/)
    expect(wallet.controls.pending).toEqual([])
  })

  it('lets a function decide, and shows it what is asked', async () => {
    const wallet = await connected({ approval: (request) => request.method !== 'personal_sign' })
    await expect(wallet.request('personal_sign', '0x01', alice.address)).rejects.toMatchObject({
      code: 4001,
    })
  })

  it('logs every request, reads included, in order', async () => {
    const wallet = await connected()
    await wallet.request('eth_blockNumber')
    expect(wallet.controls.requests.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'eth_blockNumber',
    ])
  })
})

describe('signing', () => {
  it('signs a message that verifies', async () => {
    const { wallet } = viemOf(await connected())
    const signature = await wallet.signMessage({ message: 'Grüße from the Book' })
    expect(
      await verifyMessage({ address: alice.address, message: 'Grüße from the Book', signature }),
    ).toBe(true)
  })

  it('takes a text that is not bytes as UTF-8', async () => {
    const wallet = await connected()
    const signature = (await wallet.request('personal_sign', 'hello', bob.address)) as Hex
    expect(await verifyMessage({ address: bob.address, message: 'hello', signature })).toBe(true)
  })

  it('signs typed data that verifies, and none for another chain', async () => {
    const { wallet } = viemOf(await connected())
    const typedData = {
      domain: { name: 'Book', version: '1', chainId: 31337 },
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'read me' },
    } as const
    const signature = await wallet.signTypedData(typedData)
    expect(await verifyTypedData({ address: alice.address, ...typedData, signature })).toBe(true)
    await expect(
      wallet.signTypedData({ ...typedData, domain: { ...typedData.domain, chainId: 1 } }),
    ).rejects.toMatchObject({ cause: { code: -32602 } })
  })

  it('refuses eth_sign, accounts it did not give and malformed parameters', async () => {
    const wallet = await connected()
    const codes: unknown[] = []
    for (const [method, ...params] of [
      ['eth_sign', alice.address, '0x00'],
      ['personal_sign', '0x00', carol],
      ['personal_sign', alice.address, '0x00'],
      ['eth_signTypedData_v4', alice.address, '{'],
      ['eth_sendTransaction', { from: alice.address, to: '0x12' }],
      ['eth_sendTransaction', { from: alice.address, to: carol, value: 1 }],
      ['eth_sendTransaction', { from: alice.address, to: carol, chainId: '0x1' }],
      ['eth_sendTransaction', { from: carol, to: carol }],
      ['wallet_switchEthereumChain', { chainId: 31338 }],
    ] as const) {
      codes.push(await codeOf(wallet.request(method, ...params)))
    }
    expect(codes).toEqual([4200, 4100, -32602, -32602, -32602, -32602, -32602, 4100, -32602])
    await expect(wallet.provider.request({} as { method: string })).rejects.toMatchObject({
      code: -32600,
    })
  })
})

describe('sending', () => {
  it('sends and the chain has the receipt', async () => {
    const viem = viemOf(await connected(), bob.address)
    const before = await viem.chain.getBalance({ address: carol })
    const hash = await viem.wallet.sendTransaction({ to: carol, value: parseEther('1.5') })
    const receipt = await viem.chain.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', from: lower(bob.address) })
    expect((await viem.chain.getBalance({ address: carol })) - before).toBe(parseEther('1.5'))
  })

  it('gives transactions approved at once different nonces', async () => {
    const viem = viemOf(await connected())
    const hashes = await Promise.all(
      [1n, 2n, 3n].map((value) => viem.wallet.sendTransaction({ to: carol, value })),
    )
    const sent = await Promise.all(hashes.map((hash) => viem.chain.getTransaction({ hash })))
    expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(3)
  })

  it('signs without sending', async () => {
    const wallet = await connected()
    const raw = (await wallet.request('eth_signTransaction', {
      from: alice.address,
      to: carol,
      value: '0x1',
    })) as Hex
    expect(parseTransaction(raw)).toMatchObject({ chainId: 31337, value: 1n, type: 'eip1559' })
  })

  it('passes on what the chain says about a call that would fail, revert data included', async () => {
    const wallet = await connected()
    const viem = viemOf(wallet)
    const hash = await viem.wallet.sendTransaction({ data: brokenContract })
    const { contractAddress } = await viem.chain.waitForTransactionReceipt({ hash })
    await expect(
      wallet.request('eth_sendTransaction', { from: alice.address, to: contractAddress }),
    ).rejects.toMatchObject({ code: 3, data: numberToHex(0x42, { size: 32 }) })
  })

  it('forwards reads to the chain in use', async () => {
    const wallet = make()
    const { chain } = viemOf(wallet)
    const balance = (await wallet.request('eth_getBalance', carol, 'latest')) as Hex
    expect(hexToBigInt(balance)).toBe(await chain.getBalance({ address: carol }))
    expect(await wallet.request('eth_chainId')).toBe(numberToHex(await chain.getChainId()))
    expect(await wallet.request('net_version')).toBe('31337')
  })
})

describe('chains', () => {
  it('switches to a known chain and refuses an unknown one with 4902', async () => {
    const wallet = await connected()
    const events = heard(wallet)
    expect(await wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' })).toBeNull()
    expect(events).toContainEqual(['chainChanged', '0x7a6a'])
    expect(await wallet.request('eth_chainId')).toBe('0x7a6a')
    expect(await codeOf(wallet.request('wallet_switchEthereumChain', { chainId: '0x1' }))).toBe(
      4902,
    )
  })

  it('adds a chain whose node answers as that chain, then works on it', async () => {
    const wallet = await connected({ chains: chains.slice(0, 1) })
    const chain = { chainId: '0x7a6a', chainName: 'Away', rpcUrls: [away.url] }
    expect(
      await codeOf(wallet.request('wallet_addEthereumChain', { ...chain, chainId: '0x5' })),
    ).toBe(-32602)
    expect(await wallet.request('wallet_addEthereumChain', chain)).toBeNull()
    expect(await wallet.request('eth_chainId')).toBe('0x7a6a')
    const { hash } = (await wallet.request('eth_getBlockByNumber', 'latest', false)) as {
      hash: Hex
    }
    expect(hash).toBe(await latestBlockHash(away.url))
  })

  it('moves from the wallet side, also where it has no connection', async () => {
    const wallet = await connected()
    const events = heard(wallet)
    wallet.controls.switchChain(1)
    expect(events).toContainEqual(['chainChanged', '0x1'])
    expect(await codeOf(wallet.request('eth_blockNumber'))).toBe(4901)
  })

  it('watches a token', async () => {
    const wallet = await connected()
    const options = { address: carol, symbol: 'FLD', decimals: 18 }
    expect(await wallet.request('wallet_watchAsset', { type: 'ERC20', options })).toBe(true)
    expect(
      await wallet.provider.request({
        method: 'wallet_watchAsset',
        params: { type: 'ERC20', options },
      }),
    ).toBe(true)
  })
})

describe('batches of EIP-5792', () => {
  it('runs the calls one after another and reports their receipts', async () => {
    const wallet = await connected()
    const viem = viemOf(wallet)
    const before = await viem.chain.getBalance({ address: carol })
    const { id } = await viem.wallet.sendCalls({
      calls: [
        { to: carol, value: 1n },
        { to: carol, value: 2n },
      ],
    })
    const status = await viem.wallet.waitForCallsStatus({ id, pollingInterval: 50 })
    expect(status).toMatchObject({
      statusCode: 200,
      atomic: false,
      version: '2.0.0',
      chainId: 31337,
    })
    expect(status.receipts?.map((receipt) => receipt.status)).toEqual(['success', 'success'])
    expect((await viem.chain.getBalance({ address: carol })) - before).toBe(3n)
    expect(await wallet.request('wallet_showCallsStatus', id)).toBeNull()
  })

  it('says what became of a batch that could not be sent, or only in part', async () => {
    const viem = viemOf(await connected())
    const tooMuch = { to: carol, value: parseEther('1000000') } as const
    const none = await viem.wallet.sendCalls({ calls: [tooMuch] })
    const part = await viem.wallet.sendCalls({ calls: [{ to: carol, value: 1n }, tooMuch] })
    const wait = (id: string) => viem.wallet.waitForCallsStatus({ id, pollingInterval: 50 })
    expect(await wait(none.id)).toMatchObject({ statusCode: 400, receipts: [] })
    expect(await wait(part.id)).toMatchObject({
      statusCode: 600,
      receipts: [{ status: 'success' }],
    })
  })

  it('tells its capabilities per chain to connected accounts alone', async () => {
    const wallet = await connected()
    expect(await wallet.request('wallet_getCapabilities', alice.address)).toEqual({
      '0x7a69': { atomic: { status: 'unsupported' } },
      '0x7a6a': { atomic: { status: 'unsupported' } },
    })
    expect(await wallet.request('wallet_getCapabilities', alice.address, ['0x7a6a'])).toEqual({
      '0x7a6a': { atomic: { status: 'unsupported' } },
    })
    expect(await codeOf(wallet.request('wallet_getCapabilities', carol))).toBe(4100)
  })

  it.each([
    ['an older version', { version: '1.0' }, -32602],
    ['no calls', { calls: [] }, -32602],
    ['an unknown chain', { chainId: '0x1' }, 5710],
    ['atomicity', { atomicRequired: true }, 5760],
    ['a capability', { capabilities: { paymasterService: { url: 'https://x.example' } } }, 5700],
    ['an account of others', { from: carol }, 4100],
  ])('refuses a batch that needs %s', async (_, change, code) => {
    const wallet = await connected()
    const batch = {
      version: '2.0.0',
      chainId: '0x7a69',
      from: alice.address,
      atomicRequired: false,
      calls: [{ to: carol }],
    }
    expect(await codeOf(wallet.request('wallet_sendCalls', { ...batch, ...change }))).toBe(code)
  })

  it('refuses an id used before and knows none it did not give', async () => {
    const wallet = await connected()
    const batch = {
      version: '2.0.0',
      id: 'mine',
      chainId: '0x7a69',
      atomicRequired: false,
      calls: [{ to: carol }],
    }
    expect(await wallet.request('wallet_sendCalls', batch)).toEqual({ id: 'mine' })
    expect(await codeOf(wallet.request('wallet_sendCalls', batch))).toBe(5720)
    expect(await codeOf(wallet.request('wallet_getCallsStatus', 'other'))).toBe(5730)
  })
})

describe('faults', () => {
  it('rejects the next request, once, without asking', async () => {
    const approval = vi.fn<() => Promise<boolean>>(async () => true)
    const wallet = make({ approval, faults: { reject: 'next' } })
    expect(await codeOf(wallet.request('eth_requestAccounts'))).toBe(4001)
    expect(approval).not.toHaveBeenCalled()
    expect(await wallet.request('eth_requestAccounts')).toHaveLength(2)
  })

  it('rejects every request a person would see, or those of named methods', async () => {
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

  it('hangs until the test lets the answer go, and does not block the next try', async () => {
    const wallet = make({ faults: { hang: 'next' } })
    const silent = wallet.request('eth_requestAccounts')
    const held = await wallet.controls.waitFor('eth_requestAccounts')
    expect(held.hung).toBe(true)
    expect(await wallet.request('eth_requestAccounts')).toHaveLength(2)
    held.approve()
    expect(await silent).toHaveLength(2)
  })

  it('hangs on reads it is told to', async () => {
    const wallet = await connected({ faults: { hang: ['eth_accounts'] } })
    const silent = wallet.request('eth_accounts')
    ;(await wallet.controls.waitFor('eth_accounts')).reject()
    expect(await codeOf(silent)).toBe(4001)
  })

  it('breaks with -32603', async () => {
    const wallet = make({ faults: { fail: 'next' } })
    expect(await codeOf(wallet.request('eth_requestAccounts'))).toBe(-32603)
  })

  it('answers late, whatever the answer', async () => {
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

  it('claims to have switched and stays, or lands elsewhere', async () => {
    const wallet = await connected({ faults: { wrongChain: 'stay' } })
    const events = heard(wallet)
    expect(await wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' })).toBeNull()
    expect(await wallet.request('eth_chainId')).toBe('0x7a69')
    wallet.controls.set({ wrongChain: 10 })
    await wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' })
    expect(await wallet.request('eth_chainId')).toBe('0xa')
    expect(events.filter((event) => String(event).startsWith('chainChanged'))).toEqual([
      ['chainChanged', '0xa'],
    ])
  })

  it('disconnects with 4900 until it is connected again', async () => {
    const wallet = await connected()
    const events = heard(wallet)
    wallet.controls.disconnect()
    expect(events).toContainEqual(['disconnect', { code: 4900 }])
    expect(wallet.provider.isConnected()).toBe(false)
    expect(await codeOf(wallet.request('eth_chainId'))).toBe(4900)
    wallet.controls.connect()
    expect(events.at(-1)).toEqual(['connect', { chainId: '0x7a69' }])
    expect(await wallet.request('eth_chainId')).toBe('0x7a69')
  })

  it('loses its accounts', async () => {
    const wallet = await connected()
    const events = heard(wallet)
    wallet.controls.loseAccounts()
    expect(events).toContainEqual(['accountsChanged', []])
    expect(wallet.controls.permitted).toBe(false)
  })

  it('locks, hides its accounts, and opens when the page asks again', async () => {
    const wallet = await connected()
    wallet.controls.lock()
    expect(await wallet.request('eth_accounts')).toEqual([])
    expect(await codeOf(wallet.request('personal_sign', '0x', alice.address))).toBe(4100)
    expect(await wallet.request('eth_requestAccounts')).toHaveLength(2)
    expect(wallet.controls.locked).toBe(false)
  })

  it('switches account', async () => {
    const wallet = await connected()
    const events = heard(wallet)
    wallet.controls.switchAccount(1)
    expect(events).toContainEqual(['accountsChanged', [lower(bob.address), lower(alice.address)]])
    expect(() => wallet.controls.switchAccount(7)).toThrow('no account 7')
  })

  it('lies about its account: the signature is not of the account it showed', async () => {
    const wallet = await connected({ faults: { lieAboutAccount: carol } })
    expect(await wallet.request('eth_accounts')).toEqual([carol])
    const signature = (await wallet.request('personal_sign', '0x68', carol)) as Hex
    expect(await verifyMessage({ address: carol, message: 'h', signature })).toBe(false)
    expect(await verifyMessage({ address: alice.address, message: 'h', signature })).toBe(true)
    wallet.controls.set({ lieAboutAccount: 'none' })
    expect(await wallet.request('eth_requestAccounts')).toEqual([])
  })

  it('forgets to tell the page', async () => {
    const wallet = await connected({ faults: { mute: true } })
    const events = heard(wallet)
    wallet.controls.switchChain(31338)
    wallet.controls.disconnect()
    expect(events).toEqual([])
    expect(wallet.controls.chainId).toBe(31338)
  })

  it('does not know the methods it is told not to, nor any other it never had', async () => {
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

  it('is whole again after reset', async () => {
    const wallet = await connected()
    wallet.controls.set({ reject: 'all', delayMs: 60_000 })
    wallet.controls.lock()
    wallet.controls.disconnect()
    wallet.controls.reset()
    expect(await wallet.request('personal_sign', '0x', alice.address)).toMatch(/^0x/)
  })
})

describe('ending', () => {
  it('answers 4900 to what was open and to what comes later', async () => {
    const wallet = make({ approval: 'window' })
    const open = wallet.request('eth_requestAccounts')
    await wallet.controls.waitFor()
    wallet.destroy()
    expect(await codeOf(open)).toBe(4900)
    expect(await codeOf(wallet.request('eth_chainId'))).toBe(4900)
  })
})

it('has the usual accounts of a development chain', () => {
  const mnemonic = `${'test '.repeat(11)}junk`
  const expected = Array.from(
    { length: 10 },
    (_, addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).address,
  )
  const all = demoAccounts(...expected.keys()).map((key) => privateKeyToAccount(key).address)
  expect(all).toEqual(expected)
  expect(() => demoAccounts(10)).toThrow(RangeError)
})

it('announces the connection to whoever listens from the start', async () => {
  const wallet = createDemoWallet({ chains })
  wallets.push(wallet)
  const events = heard(wallet)
  await wallet.provider.request({ method: 'eth_chainId' })
  expect(events).toEqual([['connect', { chainId: '0x7a69' }]])
})

/** Asked past the wallet. */
async function latestBlockHash(rpcUrl: string): Promise<unknown> {
  const { hash } = await createPublicClient({ transport: http(rpcUrl) }).getBlock()
  return hash
}

async function codeOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'answered'
}
