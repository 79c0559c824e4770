import { addresses, usdcAbi } from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import { createClient, createTestClient, getAddress, http, parseEther, toHex } from 'viem'
import type { Address } from 'viem'
import { getBalance, readContract } from 'viem/actions'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import {
  NetworkNotFoundError,
  NotConnectedError,
  TransactionError,
} from '../../core/kit/requestErrors.ts'
import type { SessionState } from '../../core/connection/Session.ts'
import { createPage, intercept, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'
import { parseAddress } from './transfers.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const receiver = '0x00000000000000000000000000000000000b00cd'

async function connected() {
  const wallet = page.wallet()
  const { adapter } = page.adapter({ pollingIntervalMs: 50 })
  await adapter.connect({ connectorId: 'dev.gatefold.halyard' })
  const client = createClient({ transport: http(chains.first.url) })
  const dollars = (address: `0x${string}`) =>
    readContract(client, {
      address: addresses.usdc,
      abi: usdcAbi,
      functionName: 'balanceOf',
      args: [address],
    })
  return { adapter: adapter as Required<typeof adapter>, wallet, client, dollars }
}
const network = () => page.networks[0]

describe('a transfer', () => {
  test('§5.2 of the native currency arrives and costs at most the estimated fee', async () => {
    const { adapter, client } = await connected()
    const request = { network: network(), to: receiver, amount: parseEther('0.25') }
    const { gas, fee, isContract } = await adapter.prepareTransfer(request)
    expect({ gas, isContract }).toEqual({ gas: 21_000n, isContract: false })
    const before = await getBalance(client, { address: mira })
    const hash = await adapter.sendTransfer({ ...request, gas })
    expect(await adapter.waitForReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await getBalance(client, { address: receiver })).toBe(parseEther('0.25'))
    const spent = before - (await getBalance(client, { address: mira })) - parseEther('0.25')
    expect(spent).toBeGreaterThan(0n)
    expect(spent).toBeLessThanOrEqual(fee!)
  })

  test('§5.2 of a token arrives', async () => {
    const { adapter, dollars, wallet } = await connected()
    const request = { network: network(), token: addresses.usdc, to: receiver, amount: 12_500_000n }
    const { gas } = await adapter.prepareTransfer(request)
    const hash = await adapter.sendTransfer({ ...request, gas })
    const sent = wallet.controls.requests.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent?.params).toMatchObject([{ gas: toHex(gas) }])
    expect(await adapter.waitForReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await dollars(receiver)).toBe(12_500_000n)
  })

  test('to a contract is marked as such, but not one to an account that delegates to a contract', async () => {
    const { adapter, client } = await connected()
    const prepare = (to: string) =>
      adapter.prepareTransfer({ network: network(), token: addresses.usdc, to, amount: 1n })
    expect((await prepare(addresses.multicall3)).isContract).toBe(true)
    const test = createTestClient({ mode: 'anvil', transport: http(client.transport.url) })
    const bytecode = `0xef0100${addresses.multicall3.slice(2)}` as const
    await test.setCode({ address: receiver, bytecode })
    expect((await prepare(receiver)).isContract).toBe(false)
    await test.setCode({ address: receiver, bytecode: '0x' })
  })

  test('error: of more tokens than the account has is refused with the reason', async () => {
    const { adapter } = await connected()
    const request = { network: network(), token: addresses.usdc, to: receiver, amount: 10n ** 30n }
    await expect(adapter.prepareTransfer(request)).rejects.toMatchObject({
      shortMessage: 'The transfer would fail',
      details: expect.stringMatching(/balance/i),
    })
  })

  test('error: is refused if the token returns false', async () => {
    const { adapter, client } = await connected()
    const test = createTestClient({ mode: 'anvil', transport: http(client.transport.url) })
    const token = '0x00000000000000000000000000000000000fa15e'
    // Returns 32 zero bytes for every call: push0 push0 mstore, push1 32 push0 return.
    await test.setCode({ address: token, bytecode: '0x5f5f5260205ff3' })
    await expect(
      adapter.prepareTransfer({ network: network(), token, to: receiver, amount: 1n }),
    ).rejects.toMatchObject({ details: 'The token refuses the transfer.' })
  })

  test('error: to the token’s own contract is neither prepared nor sent', async () => {
    const { adapter, wallet } = await connected()
    const { usdc } = addresses
    const request = { network: network(), token: usdc, to: usdc.toLowerCase(), amount: 1n }
    await expect(adapter.prepareTransfer(request)).rejects.toThrow('own contract')
    await expect(adapter.sendTransfer(request)).rejects.toThrow('own contract')
    expect(wallet.controls.requests.map(({ method }) => method)).not.toContain(
      'eth_sendTransaction',
    )
  })

  test('error: to text that is not an address is refused', async () => {
    const { adapter } = await connected()
    await expect(
      adapter.prepareTransfer({ network: network(), to: 'tomas', amount: 1n }),
    ).rejects.toThrow('The receiving address is not valid')
  })

  test('error: is not sent if the wallet is on another network', async () => {
    const { adapter } = await connected()
    await expect(
      adapter.sendTransfer({ network: page.networks[1], to: receiver, amount: 1n }),
    ).rejects.toBeInstanceOf(TransactionError)
    const unknown = { ...page.networks[1], id: 7, caipNetworkId: 'eip155:7' as const }
    await expect(
      adapter.prepareTransfer({ network: unknown, to: receiver, amount: 1n }),
    ).rejects.toBeInstanceOf(NetworkNotFoundError)
  })

  test('error: is not prepared without a wallet', async () => {
    page.wallet()
    const { adapter } = page.adapter()
    await expect(
      (adapter as Required<typeof adapter>).prepareTransfer({
        network: network(),
        to: receiver,
        amount: 1n,
      }),
    ).rejects.toBeInstanceOf(NotConnectedError)
  })
})

describe('the fee of a transfer from a smart account', () => {
  /** A wallet whose session says that the account is a smart account, and which reports the fee. */
  async function smart(answer: () => unknown, type: 'eoa' | 'smartAccount' = 'smartAccount') {
    const wallet = page.wallet()
    const account = { address: mira, caipNetworkId: 'eip155:31337', type } as const
    const session = { grants: { eip155: { accounts: [account], networkIds: [], methods: [] } } }
    const { adapter } = page.adapter({ session: () => session as unknown as SessionState })
    await adapter.connect({ connectorId: 'dev.gatefold.halyard' })
    const asked: unknown[] = []
    intercept(wallet, async (args, pass) => {
      if (args.method !== 'wallet_getCallsFee') return pass(args)
      asked.push(...(args.params as unknown[]))
      return answer()
    })
    const prepare = (token?: Address) =>
      adapter.prepareTransfer({ network: network(), token, to: receiver, amount: 1n })
    return { asked, prepare }
  }

  test('is zero if a sponsor pays it', async () => {
    const { asked, prepare } = await smart(() => ({ fee: '0x0' }))
    expect((await prepare()).fee).toBe(0n)
    const batch = { version: '2.0.0', chainId: '0x7a69', from: mira }
    expect(asked).toEqual([{ ...batch, calls: [{ to: getAddress(receiver), value: '0x1' }] }])
  })

  test('is that of its operation if the account pays it', async () => {
    const { asked, prepare } = await smart(() => ({ fee: '0x2386f26fc10000' }))
    expect((await prepare(addresses.usdc)).fee).toBe(parseEther('0.01'))
    expect(asked).toMatchObject([{ calls: [{ to: addresses.usdc, value: '0x0' }] }])
  })

  test.each([
    ['refuses', () => Promise.reject(new Error('unsupported'))],
    ['returns another thing', () => ({ fee: 'none' })],
    ['returns nothing', () => null],
  ])('is not known if the wallet %s', async (_, answer) => {
    const { prepare } = await smart(answer)
    expect((await prepare()).fee).toBeUndefined()
  })

  test('is not known if the wallet does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { asked, prepare } = await smart(() => new Promise(() => {}))
    const prepared = prepare()
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(limits.callsFeeMs)
    expect((await prepared).fee).toBeUndefined()
  })

  test('is not requested for a standard account', async () => {
    const { asked, prepare } = await smart(() => ({ fee: '0x0' }), 'eoa')
    expect((await prepare()).fee).toBeGreaterThan(0n)
    expect(asked).toEqual([])
  })
})

test.each([
  [mira, { address: mira }],
  [mira.toLowerCase(), { address: mira }],
  [mira.slice(0, -1), { problem: 'short' }],
  [`${mira}0`, { problem: 'long' }],
  [`${mira.slice(0, -1)}g`, { problem: 'characters' }],
  ['vitalik', { problem: 'characters' }],
  // One letter in the other case.
  [mira.replace('Fd6e', 'fd6e'), { problem: 'checksum' }],
])('the address %s is %o', (text, parsed) => {
  expect(parseAddress(text)).toEqual(parsed)
})
