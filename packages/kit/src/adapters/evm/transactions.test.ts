import { addresses, revertsAbi, usdcAbi } from '@gatefold/chain'
import {
  createClient,
  createTestClient,
  custom,
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionData,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { getBalance, getTransaction } from 'viem/actions'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { UserRejectedError } from '../../core/kit/errors.ts'
import {
  NetworkNotFoundError,
  TransactionError,
  WrongHashError,
} from '../../core/kit/requestErrors.ts'
import { DestroyedError } from '../../core/kit/kitErrors.ts'
import { createPage, intercept, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'
import { decodeRevert, revertReason } from './revert.ts'
import { parseValue } from './transactions.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'
const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const tomas = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const recipient = '0x00000000000000000000000000000000000b00cc'

async function connected(options: Parameters<Page['wallet']>[0] = {}) {
  const wallet = page.wallet(options)
  const made = page.adapter({ pollingIntervalMs: 50 })
  await made.adapter.connect({ connectorId: halyard })
  made.newEvents()
  const { adapter } = made
  return {
    ...made,
    adapter: adapter as Required<typeof adapter>,
    wallet,
    client: createClient({ transport: http(chains.first.url) }),
    requestsOf: (method: string) =>
      wallet.controls.requests.filter((request) => request.method === method),
  }
}

describe('sendTransaction', () => {
  test('§3.10.1 §7.13.2 sends the transaction and returns its hash', async () => {
    const { adapter, client } = await connected()
    const before = await getBalance(client, { address: recipient })
    const hash = await adapter.sendTransaction({ to: recipient, value: parseEther('0.5') })
    expect(await adapter.waitForReceipt({ hash })).toMatchObject({ hash, status: 'success' })
    expect((await getBalance(client, { address: recipient })) - before).toBe(parseEther('0.5'))
  })

  test('§3.10.1 §9.12.1/3 the transaction has the requested data, gas and gas price, and is a legacy one', async () => {
    const { adapter, client, requestsOf } = await connected()
    const wanted = {
      to: recipient,
      value: 7n,
      data: '0xb00c',
      gas: 50_000n,
      gasPrice: 123_000_000_000n,
    } as const
    const hash = await adapter.sendTransaction({ ...wanted, caipNetworkId: 'eip155:31337' })
    await adapter.waitForReceipt({ hash })
    expect(requestsOf('eth_sendTransaction')[0]?.params[0]).toMatchObject({ type: '0x0' })
    const { data, ...fields } = wanted
    expect(await getTransaction(client, { hash: hash as `0x${string}` })).toMatchObject({
      ...fields,
      input: data,
      chainId: 31_337,
      type: 'legacy',
    })
  })

  test('§5.9.1 a value that is not a number counts as zero', async () => {
    const { adapter, requestsOf } = await connected()
    await adapter.sendTransaction({ to: recipient, value: 'a fortune' })
    expect(requestsOf('eth_sendTransaction')[0]?.params[0]).toMatchObject({ value: '0x0' })
    expect(['7', '0x10', '', ' ', 'NaN', undefined, 3n].map(parseValue)).toEqual([
      7n,
      16n,
      0n,
      0n,
      0n,
      0n,
      3n,
    ])
    expect(() => parseValue('1.5')).toThrow(TransactionError)
  })

  test('error: a rejection by the visitor throws UserRejectedError', async () => {
    const { adapter, wallet } = await connected()
    wallet.controls.set({ reject: 'next' })
    await expect(adapter.sendTransaction({ to: recipient, value: 1n })).rejects.toBeInstanceOf(
      UserRejectedError,
    )
  })

  test.each([
    ['null', null],
    ['an empty text', ''],
    ['the text “yes”', 'yes'],
    ['an object', { hash: `0x${'11'.repeat(32)}` }],
    ['a short hash', `0x${'11'.repeat(31)}`],
    ['a long hash', `0x${'11'.repeat(33)}`],
  ])('attack: a wallet that returns %s has returned no hash', async (_, answer) => {
    const { adapter, wallet } = await connected()
    intercept(wallet, (args, pass) =>
      args.method === 'eth_sendTransaction' ? Promise.resolve(answer) : pass(args),
    )
    const to = recipient
    const network = page.networks[0]
    await expect(adapter.sendTransaction({ to })).rejects.toBeInstanceOf(WrongHashError)
    await expect(adapter.sendTransfer({ network, to, amount: 1n })).rejects.toBeInstanceOf(
      WrongHashError,
    )
  })

  test.each([
    ['request has expired', { message: 'Request expired. Please try again.' }],
    ['session has ended', { message: 'User disconnected.', code: 6000 }],
  ])(
    'error: a transaction may have been sent if its %s before the wallet responded',
    async (_, { message, ...rest }) => {
      const { adapter, wallet } = await connected()
      const error = Object.assign(new Error(message), rest)
      intercept(wallet, (args, pass) =>
        /^(eth_sendTransaction|wallet_sendCalls)$/.test(args.method)
          ? Promise.reject(error)
          : pass(args),
      )
      const call = { to: recipient } as const
      await expect(adapter.sendTransaction(call)).rejects.toBeInstanceOf(WrongHashError)
      const calls = [call]
      await expect(adapter.sendCalls({ calls })).rejects.toBeInstanceOf(WrongHashError)
    },
  )

  test('error: a transaction for another chain is not sent', async () => {
    const { adapter, requestsOf } = await connected()
    await expect(
      adapter.sendTransaction({ to: recipient, caipNetworkId: 'eip155:31338' }),
    ).rejects.toMatchObject({ shortMessage: 'Halyard is not on Gatefold Second' })
    await expect(
      adapter.sendTransaction({ to: recipient, caipNetworkId: 'eip155:7' }),
    ).rejects.toBeInstanceOf(NetworkNotFoundError)
    expect(requestsOf('eth_sendTransaction')).toEqual([])
  })

  test('error: detects that the wallet has switched the chain without an event', async () => {
    const { adapter, newEvents, wallet } = await connected()
    wallet.controls.set({ mute: true })
    wallet.controls.switchChain(31338)
    await expect(
      adapter.sendTransaction({ to: recipient, caipNetworkId: 'eip155:31337' }),
    ).rejects.toBeInstanceOf(TransactionError)
    expect(newEvents()).toEqual([
      { type: 'chainChanged', connectorId: halyard, caipNetworkId: 'eip155:31338' },
    ])
  })

  test('error: sends no request if the wallet’s account differs from the page’s', async () => {
    const { adapter, newEvents, wallet, requestsOf } = await connected()
    wallet.controls.set({ lieAboutAccount: tomas })
    await expect(adapter.sendTransaction({ to: recipient })).rejects.toMatchObject({
      shortMessage: `Halyard does not hold the account ${mira}`,
    })
    expect(requestsOf('eth_sendTransaction')).toEqual([])
    expect(newEvents()).toMatchObject([{ type: 'accountsChanged', accounts: [{ address: tomas }] }])
    wallet.controls.set({ lieAboutAccount: 'none' })
    await expect(adapter.sendTransaction({ to: recipient })).rejects.toMatchObject({
      code: 'wallet.not_connected',
    })
    expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: halyard }])
  })

  test('error: rejects without a connected wallet', async () => {
    const { adapter } = page.adapter()
    await expect(adapter.sendTransaction({ to: recipient })).rejects.toMatchObject({
      code: 'wallet.not_connected',
    })
  })
})

describe('a reverted transaction', () => {
  const call = (functionName: 'withReason' | 'withPanic' | 'withoutData') =>
    encodeFunctionData({ abi: revertsAbi, functionName })
  const callForPages = (pages: bigint) =>
    encodeFunctionData({ abi: revertsAbi, functionName: 'withCustomError', args: [pages] })

  test.each([
    ['§8.4/11 has a reason string', call('withReason'), 'The book is closed'],
    ['§8.4/11 has a panic as the reason', call('withPanic'), 'division by zero'],
    ['§8.4/11 has a custom error as the reason', callForPages(99n), /^custom error 0x[0-9a-f]{8}$/],
    ['§8.4/11 has an unknown reason if it returns no data', call('withoutData'), 'unknown reason'],
  ])('%s', async (_, data, reason) => {
    const { adapter } = await connected()
    const hash = await adapter.sendTransaction({ to: addresses.reverts, data, gas: 200_000n })
    const receipt = await adapter.waitForReceipt({ hash })
    expect(receipt).toMatchObject({ hash, status: 'reverted' })
    expect(receipt.reason).toMatch(reason)
  })

  test('§8.4/11 has an unknown reason if it runs out of gas', async () => {
    const { adapter } = await connected()
    const data = callForPages(1n)
    const hash = await adapter.sendTransaction({ to: addresses.reverts, data, gas: 22_000n })
    expect(await adapter.waitForReceipt({ hash })).toMatchObject({
      status: 'reverted',
      reason: 'unknown reason',
    })
  })

  test('§8.4 is replayed on the state before its block', async () => {
    const { adapter, client } = await connected()
    const anvil = (method: string, ...params: unknown[]) =>
      client.request({ method, params } as never)
    const usdc = (functionName: 'transfer' | 'mint', to: `0x${string}`) => ({
      to: addresses.usdc,
      gas: 200_000n,
      data: encodeFunctionData({ abi: usdcAbi, functionName, args: [to, 10n ** 30n] }),
    })
    await anvil('evm_setAutomine', false)
    try {
      const hash = await adapter.sendTransaction(usdc('transfer', tomas))
      await adapter.sendTransaction(usdc('mint', mira))
      await anvil('evm_mine')
      expect(await adapter.waitForReceipt({ hash })).toMatchObject({
        status: 'reverted',
        reason: 'ERC20: transfer amount exceeds balance',
      })
    } finally {
      await anvil('evm_setAutomine', true)
    }
  })

  test('has a reason that is read from the error formats of nodes and wallets', () => {
    const data =
      '0x08c379a0' + '20'.padStart(64, '0') + '2'.padStart(64, '0') + '6869'.padEnd(64, '0')
    expect(revertReason({ cause: { data: { originalError: { data } } } })).toBe('hi')
    expect(revertReason({ code: 3, message: 'execution reverted: too late' })).toBe('too late')
    expect(revertReason({ message: 'execution reverted' })).toBe('unknown reason')
    expect(revertReason({ message: 'nonce too low' })).toBeUndefined()
    expect(decodeRevert(('0x4e487b71' + '63'.padStart(64, '0')) as `0x${string}`)).toBe(
      'panic code 99',
    )
    expect(decodeRevert('0xdeadbeef')).toBe('custom error 0xdeadbeef')
  })

  test('attack: a reason of 10,000 characters is cut after 300, in every format', () => {
    const long = 'W'.repeat(10_000)
    const cut = 'W'.repeat(300)
    const abi = parseAbi(['error Error(string)', 'error Closed(string)'])
    const errorOf = (errorName: 'Error' | 'Closed') =>
      encodeErrorResult({ abi, errorName, args: [long] })
    expect(revertReason({ code: 3, message: `execution reverted: ${long}` })).toBe(cut)
    expect(revertReason({ data: errorOf('Error') })).toBe(cut)
    expect(revertReason({ data: errorOf('Closed') }, abi)).toBe(`Closed(${cut}`.slice(0, 300))
  })
})

describe('writeContract', () => {
  const reverts = { address: addresses.reverts as `0x${string}`, abi: revertsAbi }

  test('§7.13.2 calls a function', async () => {
    const { adapter, requestsOf } = await connected()
    const hash = await adapter.writeContract({
      ...reverts,
      functionName: 'withCustomError',
      args: [1n],
    })
    expect(await adapter.waitForReceipt({ hash })).toMatchObject({ status: 'success' })
    const { data } = requestsOf('eth_sendTransaction')[0]!.params[0] as { data: `0x${string}` }
    expect(decodeFunctionData({ abi: revertsAbi, data })).toMatchObject({ args: [1n] })
  })

  test.each([
    ['withReason', [], 'The book is closed'],
    ['withCustomError', [99n], /^NotEnoughPages\(\d+, 99\)$/],
    ['withPanic', [], 'division by zero'],
    ['withoutData', [], 'unknown reason'],
  ])(
    'error: §8.4 reports the reason of %s before the wallet gets a request',
    async (name, args, reason) => {
      const { adapter, requestsOf } = await connected()
      const error = await adapter
        .writeContract({ ...reverts, functionName: name, args })
        .catch((e: unknown) => e)
      expect(error).toBeInstanceOf(TransactionError)
      expect((error as TransactionError).shortMessage).toMatch(reason)
      expect(requestsOf('eth_sendTransaction')).toEqual([])
    },
  )

  test('error: rejects an unknown function, and arguments that do not match', async () => {
    const { adapter, requestsOf } = await connected()
    for (const wrong of [
      { functionName: 'nowhere' },
      { functionName: 'withCustomError', args: ['many'] },
    ])
      await expect(adapter.writeContract({ ...reverts, ...wrong })).rejects.toBeInstanceOf(
        TransactionError,
      )
    expect(requestsOf('eth_sendTransaction')).toEqual([])
  })

  test('a custom error is decoded if only the sent transaction reverts', async () => {
    const { adapter, wallet } = await connected()
    // The simulation can succeed although the transaction is reverted later.
    intercept(wallet, (args, pass) => {
      if (args.method !== 'eth_sendTransaction') return pass(args)
      const data = encodeFunctionData({
        abi: revertsAbi,
        functionName: 'withCustomError',
        args: [99n],
      })
      const [transaction] = args.params as [object]
      return pass({ ...args, params: [{ ...transaction, data, gas: '0x30d40' }] })
    })
    const hash = await adapter.writeContract({
      ...reverts,
      functionName: 'withCustomError',
      args: [1n],
    })
    expect((await adapter.waitForReceipt({ hash })).reason).toMatch(/^NotEnoughPages\(\d+, 99\)$/)
  })
})

/** Connects with both chains. @returns also the methods of requests to the nodes, by chain id. */
async function connectedWithNodes() {
  const asked: Record<number, string[]> = { 31337: [], 31338: [] }
  const toTransport = (id: number, url: string) =>
    http(url, {
      onFetchRequest: async (request) => {
        const { method } = (await request.clone().json()) as { method: string }
        asked[id]!.push(method)
      },
    })
  const transports = {
    31337: toTransport(31337, chains.first.url),
    31338: toTransport(31338, chains.second.url),
  }
  const wallet = page.wallet()
  const { adapter } = page.adapter({ pollingIntervalMs: 50, transports })
  await adapter.connect({ connectorId: halyard })
  const chainsThatGot = (method: string) =>
    Object.keys(asked).filter((id) => asked[Number(id)]!.includes(method))
  return { adapter, wallet, chainsThatGot }
}

test('a call of a contract is not simulated on another chain if that of the wallet is not configured', async () => {
  const { adapter, wallet, chainsThatGot } = await connectedWithNodes()
  wallet.controls.switchChain(424_242)
  const call = { address: addresses.reverts, abi: revertsAbi, functionName: 'withReason' } as const
  await adapter.writeContract(call).catch(() => {})
  expect(chainsThatGot('eth_call')).toEqual([])
})

test('gas is estimated on the requested network', async () => {
  const { adapter, chainsThatGot } = await connectedWithNodes()
  await adapter.estimateGas({ to: recipient, value: 1n, caipNetworkId: 'eip155:31338' })
  expect(chainsThatGot('eth_estimateGas')).toEqual(['31338'])
})

test('a receipt is awaited on the chain of the transaction, although the wallet has switched since', async () => {
  const { adapter, wallet } = await connectedWithNodes()
  const hash = await adapter.sendTransaction({ to: recipient, value: 1n })
  wallet.controls.switchChain(31338)
  expect(await adapter.waitForReceipt({ hash, timeoutMs: 5_000 })).toMatchObject({ hash })
})

describe('estimateGas', () => {
  test('§7.13.2 returns gas units', async () => {
    const { adapter } = await connected()
    expect(await adapter.estimateGas({ to: recipient, value: 1n })).toBe(21_000n)
  })

  test('error: §8.11.2 throws the message of AppKit’s adapter, with the revert reason', async () => {
    const { adapter } = await connected()
    const data = encodeFunctionData({ abi: revertsAbi, functionName: 'withReason' })
    await expect(adapter.estimateGas({ to: addresses.reverts, data })).rejects.toMatchObject({
      shortMessage: 'WagmiAdapter:estimateGas - error estimating gas',
      details: 'The book is closed',
    })
  })
})

test('error: §9.12.1/2 waiting for a receipt times out after 25 s', async () => {
  const { adapter } = await connected()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    let failure: unknown
    const hash = `0x${'11'.repeat(32)}`
    await adapter.preload()
    const waiting = adapter.waitForReceipt({ hash }).catch((error: unknown) => (failure = error))
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    await vi.advanceTimersByTimeAsync(24_900)
    expect(failure).toBeUndefined()
    await vi.advanceTimersByTimeAsync(100)
    await waiting
    expect(failure).toBeInstanceOf(TransactionError)
    expect(failure).toMatchObject({
      shortMessage: 'The transaction was not confirmed within 25 s',
    })
  } finally {
    vi.useRealTimers()
  }
})

test('§9.4.2/3 while waiting for a receipt, the chain is polled every 4 s', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  try {
    const start = Date.now()
    const polls: number[] = []
    const transport = custom({
      async request({ method }: { method: string }) {
        if (method === 'eth_blockNumber') polls.push(Date.now() - start)
        return method === 'eth_blockNumber' ? `0x${polls.length}` : null
      },
    })
    const { adapter } = page.adapter({ transports: { 31337: transport } })
    await adapter.actions()
    const waiting = adapter
      .waitForReceipt({ hash: `0x${'11'.repeat(32)}`, network: page.networks[0] })
      .catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(12_500)
    expect(polls).toEqual([0, 4_000, 8_000, 12_000])
    adapter.destroy()
    await waiting
  } finally {
    vi.useRealTimers()
  }
})

describe('destroying the instance aborts the wait for a receipt', () => {
  test.each([
    ['for a transaction that no block includes', true],
    ['for a transaction that the chain does not know', false],
  ])('%s', async (_, known) => {
    const requests: string[] = []
    const transport = http(chains.first.url, {
      onFetchRequest: async (request) => {
        const { method } = (await request.clone().json()) as { method: string }
        requests.push(method)
      },
    })
    page.wallet()
    const { adapter } = page.adapter({ pollingIntervalMs: 50, transports: { 31337: transport } })
    const client = createTestClient({ mode: 'anvil', transport: http(chains.first.url) })
    await adapter.connect({ connectorId: halyard })
    await client.setAutomine(false)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const hash = known
        ? await adapter.sendTransaction({ to: recipient, value: 1n })
        : `0x${'22'.repeat(32)}`
      const waiting = adapter.waitForReceipt({ hash }).catch((error: unknown) => error)
      // The action is now waiting for the next block, or for the next lookup of the transaction.
      const last = known ? 'eth_getBlockByNumber' : 'eth_getTransactionByHash'
      await vi.waitFor(() => expect(requests.slice(4)).toContain(last))

      adapter.destroy()
      expect(await waiting).toBeInstanceOf(DestroyedError)
      const before = requests.length
      // Well below the 25 s timeout.
      await vi.advanceTimersByTimeAsync(15_000)
      expect(requests).toHaveLength(before)
      expect(vi.getTimerCount()).toBe(0)
      await expect(adapter.waitForReceipt({ hash })).rejects.toBeInstanceOf(DestroyedError)
      expect(requests).toHaveLength(before)
    } finally {
      vi.useRealTimers()
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
  })
})
