import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import {
  concat,
  createTestClient,
  http,
  numberToHex,
  pad,
  parseEther,
  parseGwei,
  publicActions,
  toEventSelector,
  walletActions,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Address } from 'viem'
import { getTransaction, getTransactionCount } from 'viem/actions'
import { privateKeyToAccount } from 'viem/accounts'
import { accounts } from '@gatefold/chain'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { NetworkNotFoundError, TransactionError } from '../../core/kit/requestErrors.ts'
import { toNetwork } from '../../core/networks/Network.ts'
import { raised } from './pending.ts'
import { createPage, intercept, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))

const halyard = 'dev.gatefold.halyard'
const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const recipient = '0x00000000000000000000000000000000000b00cc'
const chain = () =>
  createTestClient({ mode: 'anvil', transport: http(chains.first.url) })
    .extend(walletActions)
    .extend(publicActions)

/**
 * A node that answers `null` to the next `node.misses` requests for a transaction, as if other nodes
 * had not forwarded it yet. Passes all other requests to the first chain.
 */
async function lateNode() {
  const node = { misses: 0, url: '' }
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await text(request)
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      response.setHeader('content-type', 'application/json')
      if (method === 'eth_getTransactionByHash' && node.misses-- > 0)
        return JSON.stringify({ jsonrpc: '2.0', id, result: null })
      return (
        await fetch(chains.first.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).text()
    }
    answer().then(
      (answered) => response.end(answered),
      () => response.destroy(),
    )
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}

/** A wallet with a transaction that stays pending until `mine` is called. */
async function submitted(url = chains.first.url) {
  const wallet = page.wallet()
  const network = toNetwork({ ...page.local, rpcUrls: { default: { http: [url] } } })
  const { adapter } = page.adapter({ pollingIntervalMs: 50, networks: [network] })
  await adapter.connect({ connectorId: halyard })
  await chain().setAutomine(false)
  const hash = await adapter.sendTransaction({ to: recipient, value: parseEther('0.1') })
  const where = { address: mira, network: page.networks[0] }
  const state = await adapter.readTransaction({ hash, ...where })
  if (state.status !== 'pending') throw new Error(`The transaction is ${state.status}.`)
  const { mark } = state
  return {
    adapter,
    wallet,
    hash,
    mark,
    where,
    read: (one = hash) => adapter.readTransaction({ hash: one, mark, ...where }),
    replace: (how: 'speedUp' | 'cancel') => adapter.replaceTransaction({ hash, how, ...where }),
    mine: () => chain().mine({ blocks: 1 }),
  }
}

afterEach(async () => {
  page.close()
  await chain().request({ method: 'anvil_dropAllTransactions' } as never)
  await chain().setAutomine(true)
})

/** Sends a transaction with a given nonce, as if the visitor replaced one in the wallet itself. */
async function sendInWallet(nonce: number, change: { to?: `0x${string}`; value?: bigint } = {}) {
  const account = privateKeyToAccount(accounts[0].privateKey)
  return chain().sendTransaction({
    account,
    chain: page.local,
    to: recipient,
    value: parseEther('0.1'),
    nonce,
    maxFeePerGas: parseGwei('90'),
    maxPriorityFeePerGas: parseGwei('9'),
    ...change,
  })
}

describe('readTransaction', () => {
  test('a transaction is pending, then in a block with its fee', async () => {
    const { read, mine, mark } = await submitted()
    expect(await read()).toEqual({ status: 'pending', mark })
    await mine()
    const state = await read()
    expect(state).toMatchObject({ status: 'success' })
    expect((state as { fee: bigint }).fee).toBeGreaterThan(21_000n)
  })

  test('a transaction that the node has dropped is missing', async () => {
    const { read, hash } = await submitted()
    await chain().dropTransaction({ hash: hash as `0x${string}` })
    expect(await read()).toEqual({ status: 'missing' })
  })

  test('an unknown transaction is missing', async () => {
    const { adapter, where } = await submitted()
    const hash = `0x${'12'.repeat(32)}`
    expect(await adapter.readTransaction({ hash, ...where })).toEqual({ status: 'missing' })
  })

  test.each([
    ['repriced', {}],
    ['canceled', { to: mira, value: 0n }],
    ['replaced', { value: 7n }],
  ] as const)('finds the past block in which the transaction was %s', async (how, change) => {
    const { read, mine, mark } = await submitted()
    const other = await sendInWallet(mark.nonce, change)
    await mine()
    await chain().mine({ blocks: 40 })
    expect(await read()).toEqual({ status: 'replaced', how, hash: other })
  })

  test('error: throws for a network that is not configured', async () => {
    const { adapter, hash } = await submitted()
    const network = { ...page.networks[0], id: 7 }
    await expect(adapter.readTransaction({ hash, address: mira, network })).rejects.toBeInstanceOf(
      NetworkNotFoundError,
    )
  })
})

describe('replaceTransaction', () => {
  test('speeds it up: the same transaction and nonce, with fees that are at least 12.5 % higher', async () => {
    const { replace, read, mine, hash, mark } = await submitted()
    const old = await getTransaction(chain(), { hash: hash as `0x${string}` })
    const { hash: fast, isReplacement } = await replace('speedUp')
    expect(isReplacement).toBe(true)
    const next = await getTransaction(chain(), { hash: fast as `0x${string}` })
    expect(next).toMatchObject({ nonce: mark.nonce, to: recipient, value: parseEther('0.1') })
    expect(next.maxFeePerGas! * 1000n).toBeGreaterThanOrEqual(old.maxFeePerGas! * 1125n)
    expect(next.maxPriorityFeePerGas! * 1000n).toBeGreaterThanOrEqual(
      old.maxPriorityFeePerGas! * 1125n,
    )
    await mine()
    expect(await read(fast)).toMatchObject({ status: 'success' })
    expect(await read()).toEqual({ status: 'replaced', how: 'repriced', hash: fast })
  })

  test('cancels it: sends a value of 0 from the account to itself', async () => {
    const { replace, read, mine, mark } = await submitted()
    const { hash: empty } = await replace('cancel')
    const next = await getTransaction(chain(), { hash: empty as `0x${string}` })
    expect(next).toMatchObject({ nonce: mark.nonce, to: mira.toLowerCase(), value: 0n })
    await mine()
    expect(await read()).toEqual({ status: 'replaced', how: 'canceled', hash: empty })
    expect(await getTransactionCount(chain(), { address: mira })).toBe(mark.nonce + 1)
  })

  test('raises the gas price of a legacy transaction', async () => {
    const { adapter, where, mine } = await submitted()
    await mine()
    const gasPrice = parseGwei('7')
    const hash = await adapter.sendTransaction({ to: recipient, value: 1n, gasPrice })
    const { hash: fast } = await adapter.replaceTransaction({ hash, how: 'speedUp', ...where })
    const next = await getTransaction(chain(), { hash: fast as `0x${string}` })
    expect(next.type).toBe('legacy')
    expect(next.gasPrice).toBe(raised(gasPrice))
  })

  test('detects that the wallet has ignored the nonce, even if nodes know the transaction only 2 s later', async () => {
    const node = await lateNode()
    const { replace, wallet, mark } = await submitted(node.url)
    intercept(wallet, (args, pass) => {
      if (args.method !== 'eth_sendTransaction') return pass(args)
      node.misses = 4
      const [transaction] = args.params as [Record<string, unknown>]
      return pass({ ...args, params: [{ ...transaction, nonce: undefined }] })
    })
    const { hash, isReplacement } = await replace('speedUp')
    expect(isReplacement).toBe(false)
    expect(node.misses).toBe(-1)
    const next = await getTransaction(chain(), { hash: hash as `0x${string}` })
    expect(next.nonce).toBe(mark.nonce + 1)
  })

  test('attack: a transaction of another account, or in a block, is not replaced', async () => {
    const { adapter, replace, mine, where, wallet } = await submitted()
    await mine()
    await expect(replace('cancel')).rejects.toBeInstanceOf(TransactionError)
    const account = privateKeyToAccount(accounts[1].privateKey)
    const hash = await chain().sendTransaction({ account, chain: page.local, to: recipient })
    const before = wallet.controls.requests.length
    await expect(
      adapter.replaceTransaction({ hash, how: 'speedUp', ...where }),
    ).rejects.toMatchObject({ shortMessage: 'The transaction belongs to another account' })
    const methods = wallet.controls.requests.slice(before).map(({ method }) => method)
    expect(methods).not.toContain('eth_sendTransaction')
  })
})

test.each([
  [0n, 1n],
  [1n, 2n],
  [8n, 9n],
  [1000n, 1125n],
  [1001n, 1127n],
])('a fee of %d is raised to %d', (fee, next) => {
  expect(raised(fee)).toBe(next)
})

describe('the fee of a user operation', () => {
  const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
  const sponsor = '0x00000000000000000000000000000000000000cc'
  const smart = '0x00000000000000000000000000000000000000aa'
  const cost = parseGwei('123456')

  /** A bundler's transaction in which the entry point reports an operation. */
  async function bundle(paymaster: Address, at: Address = entryPoint) {
    const code = await chain().getCode({ address: at })
    // Emits an event with the four topics and the data in the call data.
    const bytecode = '0x608060805f376060356040356020355f3560805fa400'
    await chain().setCode({ address: at, bytecode })
    const topics = [
      toEventSelector('UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)'),
      zeroHash,
      pad(smart),
      pad(paymaster),
    ]
    const data = [0n, 1n, cost, 21_000n].map((word) => numberToHex(word, { size: 32 }))
    const account = privateKeyToAccount(accounts[1].privateKey)
    const hash = await chain().sendTransaction({
      account,
      chain: page.local,
      to: at,
      data: concat([...topics, ...data]),
    })
    await chain().waitForTransactionReceipt({ hash })
    await chain().setCode({ address: at, bytecode: code ?? '0x' })
    const where = { hash, network: page.networks[0] }
    const { adapter } = page.adapter()
    const feeFor = async (address: Address) => {
      const state = await adapter.readTransaction({ ...where, address })
      return 'fee' in state ? state.fee : state.status
    }
    return { feeFor, bundler: account.address }
  }

  test('is its own, not that of the bundler’s transaction', async () => {
    const { feeFor, bundler } = await bundle(zeroAddress)
    expect(await feeFor(smart)).toBe(cost)
    expect(await feeFor(bundler)).not.toBe(cost)
  })

  test('is zero if a sponsor has paid', async () => {
    expect(await (await bundle(sponsor)).feeFor(smart)).toBe(0n)
  })

  test('is not known for an account that neither sent nor paid', async () => {
    expect(await (await bundle(zeroAddress)).feeFor(mira)).toBeUndefined()
  })

  test('attack: is not read from a contract that is not an entry point', async () => {
    expect(await (await bundle(sponsor, recipient)).feeFor(smart)).toBeUndefined()
  })
})
