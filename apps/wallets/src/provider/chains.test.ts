import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, type Hex, http, parseEther } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { alice, carol, codeOf, recordEvents, useTestWallets } from '../testing/useTestWallets.ts'

const wallets = useTestWallets()
const { connected, viemOf } = wallets

describe('chains: the wallet', () => {
  it('switches to a known chain and rejects an unknown one with 4902', async () => {
    const wallet = await connected()
    const events = recordEvents(wallet)
    expect(await wallet.request('wallet_switchEthereumChain', { chainId: '0x7a6a' })).toBeNull()
    expect(events).toContainEqual(['chainChanged', '0x7a6a'])
    expect(await wallet.request('eth_chainId')).toBe('0x7a6a')
    expect(await codeOf(wallet.request('wallet_switchEthereumChain', { chainId: '0x1' }))).toBe(
      4902,
    )
  })

  it('adds a chain if its RPC reports the same chain id, and uses it', async () => {
    const wallet = await connected({ chains: wallets.chains.slice(0, 1) })
    const chain = { chainId: '0x7a6a', chainName: 'Away', rpcUrls: [wallets.chains[1]!.rpcUrl] }
    expect(
      await codeOf(wallet.request('wallet_addEthereumChain', { ...chain, chainId: '0x5' })),
    ).toBe(-32602)
    expect(await wallet.request('wallet_addEthereumChain', chain)).toBeNull()
    expect(await wallet.request('eth_chainId')).toBe('0x7a6a')
    const { hash } = (await wallet.request('eth_getBlockByNumber', 'latest', false)) as {
      hash: Hex
    }
    expect(hash).toBe(await latestBlockHash(wallets.chains[1]!.rpcUrl))
  })

  it('attack: the URL of a new chain is requested only after the approval', async () => {
    let count = 0
    const server = createServer((_request, response) => {
      count += 1
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x5' }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { controls, request } = await connected()
    const add = (chainId: string) => {
      const rpcUrls = [`http://127.0.0.1:${port}`]
      return request('wallet_addEthereumChain', { chainId, chainName: 'New', rpcUrls })
    }
    controls.set({ reject: 'next' })
    expect(await codeOf(add('0x5'))).toBe(4001)
    expect(count).toBe(0)
    await add('0x7a6a')
    expect(count).toBe(0)
    await add('0x5')
    expect(count).toBe(1)
  })

  it('lets the user switch to any chain, even one without an RPC URL', async () => {
    const wallet = await connected()
    const events = recordEvents(wallet)
    wallet.controls.switchChain(1)
    expect(events).toContainEqual(['chainChanged', '0x1'])
    expect(await codeOf(wallet.request('eth_blockNumber'))).toBe(4901)
  })

  it('accepts wallet_watchAsset', async () => {
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

describe('EIP-5792 batches: the wallet', () => {
  it('runs the calls in sequence and reports their receipts', async () => {
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

  it('reports a batch that failed completely or partially', async () => {
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

  it('executes all calls in one transaction or none if its accounts delegate', async () => {
    const storage = memory()
    const options = { faults: { atomicBatches: true }, storageKey: 'wallet', storage }
    const wallet = await connected(options)
    expect(await wallet.request('wallet_getCapabilities', alice.address, ['0x7a69'])).toEqual({
      '0x7a69': { atomic: { status: 'supported' } },
    })
    const viem = viemOf(wallet)
    const before = await viem.chain.getBalance({ address: carol })
    const call = { to: carol, value: 1n } as const
    const tooMuch = { to: carol, value: parseEther('1000000') } as const
    const wait = (id: string) => viem.wallet.waitForCallsStatus({ id, pollingInterval: 50 })
    const { id } = await viem.wallet.sendCalls({ calls: [call, call], forceAtomic: true })
    expect(await wait(id)).toMatchObject({ statusCode: 200, atomic: true })
    const none = await viem.wallet.sendCalls({ calls: [call, tooMuch], forceAtomic: true })
    expect(await wait(none.id)).toMatchObject({ statusCode: 500 })
    expect((await viem.chain.getBalance({ address: carol })) - before).toBe(2n)
    // After a reload, the wallet still knows the batch.
    const later = await connected(options)
    expect(await later.request('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
  })

  it('reports capabilities by chain, only for connected accounts', async () => {
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
    ["another wallet's account", { from: carol }, 4100],
  ])('rejects a batch with %s', async (_, change, code) => {
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

  it('rejects duplicate and unknown batch ids', async () => {
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

/** Reads from the chain directly. */
async function latestBlockHash(rpcUrl: string): Promise<unknown> {
  const { hash } = await createPublicClient({ transport: http(rpcUrl) }).getBlock()
  return hash
}

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}
