import { addresses, revertsAbi } from '@gatefold/chain'
import { createClient, encodeFunctionData, http, parseEther } from 'viem'
import type { Hex } from 'viem'
import { getBalance, getTransactionReceipt } from 'viem/actions'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { UnsupportedOperationError, UserRejectedError } from '../../core/kit/errors.ts'
import { NotConnectedError, WrongHashError } from '../../core/kit/requestErrors.ts'
import type { SessionState } from '../../core/connection/Session.ts'
import { createPage, intercept, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'
const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const recipient = '0x00000000000000000000000000000000000b00cc'

async function connected(options: Parameters<Page['wallet']>[0] = {}) {
  const wallet = page.wallet(options)
  const session = { capabilities: undefined } as unknown as SessionState
  const { adapter } = page.adapter({ pollingIntervalMs: 50, session: () => session })
  await adapter.connect({ connectorId: halyard })
  return {
    wallet,
    session,
    adapter: adapter as Required<typeof adapter>,
    requestsOf: (method: string) =>
      wallet.controls.requests.filter((request) => request.method === method),
  }
}

const chainClient = () => createClient({ transport: http(chains.first.url) })

const calls = [
  { to: recipient, value: parseEther('0.1') },
  { to: recipient, value: parseEther('0.2') },
] as const

describe('a batch', () => {
  test('is sent to the wallet in one request', async () => {
    const { adapter, requestsOf } = await connected()
    const { id } = await adapter.sendCalls({ calls })
    expect(requestsOf('wallet_sendCalls')[0]?.params).toEqual([
      {
        version: '2.0.0',
        chainId: '0x7a69',
        from: mira,
        atomicRequired: false,
        calls: [
          { to: recipient, value: '0x16345785d8a0000' },
          { to: recipient, value: '0x2c68af0bb140000' },
        ],
      },
    ])
    await expect.poll(() => adapter.getCallsStatus({ id })).toMatchObject({ status: 200 })
  })

  test('error: a rejection by the visitor throws UserRejectedError', async () => {
    const { adapter, wallet } = await connected()
    wallet.controls.set({ reject: 'all' })
    await expect(adapter.sendCalls({ calls })).rejects.toBeInstanceOf(UserRejectedError)
  })
})

describe('an atomic batch', () => {
  const atomic = { calls, isAtomic: true, caipNetworkId: 'eip155:31337' }

  test('requires the wallet to execute all calls or none', async () => {
    const { adapter, requestsOf } = await connected({ faults: { atomicBatches: true } })
    const { id } = await adapter.sendCalls(atomic)
    expect(requestsOf('wallet_sendCalls')[0]?.params).toMatchObject([{ atomicRequired: true }])
    const at = { id, connectorId: halyard, address: mira, network: page.networks[0] }
    await expect.poll(() => adapter.readCalls(at)).toMatchObject({ status: 'success' })
    const state = (await adapter.readCalls(at)) as { hash: Hex; fee: bigint }
    const receipt = await getTransactionReceipt(chainClient(), { hash: state.hash })
    expect(receipt.status).toBe('success')
    expect(state.fee).toBe(receipt.gasUsed * receipt.effectiveGasPrice)
  })

  test('is reverted as a whole, with the reason', async () => {
    const { adapter } = await connected({ faults: { atomicBatches: true } })
    const before = await getBalance(chainClient(), { address: recipient })
    const reverting = encodeFunctionData({ abi: revertsAbi, functionName: 'withReason' })
    const { id } = await adapter.sendCalls({
      ...atomic,
      calls: [calls[0], { to: addresses.reverts, data: reverting }],
    })
    const at = { id, connectorId: halyard, address: mira, network: page.networks[0] }
    await expect.poll(() => adapter.readCalls(at)).toMatchObject({ status: 'reverted' })
    expect(await getBalance(chainClient(), { address: recipient })).toBe(before)
  })

  test.each([
    ['cannot execute it with this account', {}],
    ['does not support the request', { unsupported: ['wallet_sendCalls'] }],
  ])('attack: is not sent one by one to a wallet that %s', async (_, faults) => {
    const { adapter, requestsOf } = await connected({ faults })
    await expect(adapter.sendCalls(atomic)).rejects.toBeInstanceOf(UnsupportedOperationError)
    expect(requestsOf('eth_sendTransaction')).toEqual([])
  })

  test('attack: is not sent to a wallet on another network', async () => {
    const { adapter, wallet, requestsOf } = await connected({ faults: { atomicBatches: true } })
    wallet.controls.switchChain(31338)
    await expect(adapter.sendCalls(atomic)).rejects.toThrow('is not on')
    expect(requestsOf('wallet_sendCalls')).toEqual([])
  })

  test.each([[null], [{}], [{ id: '' }], [{ id: 'x'.repeat(8_195) }]])(
    'error: after the response %j, which has no id, the calls may have been sent',
    async (response) => {
      const { adapter, wallet } = await connected()
      intercept(wallet, (args, pass) =>
        args.method === 'wallet_sendCalls' ? Promise.resolve(response) : pass(args),
      )
      await expect(adapter.sendCalls(atomic)).rejects.toBeInstanceOf(WrongHashError)
    },
  )

  test('has the status “missing” if the wallet does not know it', async () => {
    const { adapter } = await connected({ faults: { atomicBatches: true } })
    const at = { id: '0x12', connectorId: halyard, address: mira, network: page.networks[0] }
    expect(await adapter.readCalls(at)).toEqual({ status: 'missing' })
  })

  test('attack: is read only from the wallet and account that have sent it', async () => {
    const { adapter, requestsOf } = await connected({ faults: { atomicBatches: true } })
    const at = { id: '0x12', connectorId: halyard, address: mira, network: page.networks[0] }
    for (const other of [{ connectorId: 'dev.gatefold.nacre' }, { address: recipient }])
      await expect(adapter.readCalls({ ...at, ...other })).rejects.toBeInstanceOf(NotConnectedError)
    expect(requestsOf('wallet_getCallsStatus')).toEqual([])
  })
})

describe('a batch to a wallet without batch support', () => {
  const without = { faults: { unsupported: ['wallet_sendCalls', 'wallet_getCallsStatus'] } }
  const closed = encodeFunctionData({ abi: revertsAbi, functionName: 'withReason' })

  test('is sent one call at a time; getCallsStatus accepts the returned id', async () => {
    const { adapter, requestsOf } = await connected(without)
    const { id } = await adapter.sendCalls({ calls })
    expect(requestsOf('eth_sendTransaction')).toHaveLength(2)
    await vi.waitFor(async () => {
      const status = await adapter.getCallsStatus({ id })
      expect(status).toMatchObject({ id, status: 200, chainId: '0x7a69', atomic: false })
      expect(status.receipts).toHaveLength(2)
    })
    expect(requestsOf('wallet_getCallsStatus')).toEqual([])
  })

  test('stops when the visitor declines, and reports a partial batch', async () => {
    let sent = 0
    const { adapter, wallet } = await connected({
      faults: without.faults,
      approval: ({ method }) => method !== 'eth_sendTransaction' || ++sent < 2,
    })
    const { id } = await adapter.sendCalls({ calls })
    expect(await adapter.getCallsStatus({ id })).toMatchObject({ status: 600 })
    wallet.controls.set({ reject: 'all' })
    await expect(adapter.sendCalls({ calls })).rejects.toBeInstanceOf(UserRejectedError)
  })

  test('stops at a reverted call', async () => {
    const { adapter, wallet, requestsOf } = await connected(without)
    // With a gas limit, gas is not estimated, so the call fails on chain.
    intercept(wallet, (args, pass) =>
      args.method === 'eth_sendTransaction'
        ? pass({ ...args, params: [{ ...(args.params as [object])[0], gas: '0x30d40' }] })
        : pass(args),
    )
    const { id } = await adapter.sendCalls({
      calls: [{ to: addresses.reverts, data: closed }, calls[0]],
    })
    expect(requestsOf('eth_sendTransaction')).toHaveLength(1)
    expect(await adapter.getCallsStatus({ id })).toMatchObject({ status: 500 })
  })

  test('error: is rejected before sending if a required capability needs batch support', async () => {
    const { adapter, requestsOf } = await connected(without)
    await expect(
      adapter.sendCalls({
        calls,
        capabilities: { paymasterService: { url: 'https://p.example' } },
      }),
    ).rejects.toBeInstanceOf(UnsupportedOperationError)
    expect(requestsOf('eth_sendTransaction')).toEqual([])
  })
})

describe('capabilities', () => {
  test('§7.13.2 are requested from the wallet for the active account', async () => {
    const { adapter, requestsOf } = await connected()
    expect(await adapter.getCapabilities({})).toHaveProperty('0x7a69')
    expect(requestsOf('wallet_getCapabilities')[0]?.params).toEqual([mira])
  })

  test('§5.9.5 are read from the session if present; malformed JSON throws', async () => {
    const { adapter, requestsOf, session } = await connected()
    session.capabilities = JSON.stringify({ [mira]: { '0x1': { atomic: true } } })
    expect(await adapter.getCapabilities({ address: mira })).toEqual({ '0x1': { atomic: true } })
    session.capabilities = '{atomic'
    await expect(adapter.getCapabilities({})).rejects.toMatchObject({
      shortMessage: 'Error parsing wallet capabilities',
    })
    expect(requestsOf('wallet_getCapabilities')).toEqual([])
  })
})

test('§6.3.3 §7.13.2 permission and asset requests are forwarded; an unsupported request throws a typed error', async () => {
  const { adapter, wallet } = await connected()
  const answered: unknown[] = []
  const stop = intercept(wallet, (args, pass) => {
    if (!/Permissions$|Assets$/.test(args.method)) return pass(args)
    answered.push(args)
    return Promise.resolve({ ok: true })
  })
  await adapter.grantPermissions({ expiry: 1 })
  await adapter.revokePermissions({ permissionsContext: '0x' })
  expect(await adapter.getWalletAssets({ account: mira })).toEqual({ ok: true })
  expect(answered).toEqual([
    { method: 'wallet_grantPermissions', params: [{ expiry: 1 }] },
    { method: 'wallet_revokePermissions', params: [{ permissionsContext: '0x' }] },
    { method: 'wallet_getAssets', params: [{ account: mira }] },
  ])
  stop()
  await expect(adapter.getWalletAssets({ account: mira })).rejects.toBeInstanceOf(
    UnsupportedOperationError,
  )
})
