import { limits } from '@gatefold/protocol'
import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { connect } from '../../connection/connect.ts'
import { UserRejectedError } from '../../kit/errors.ts'
import { GatewayError, WrongHashError } from '../../kit/requestErrors.ts'
import type { GatewayClient } from '../../features/GatewayClient.ts'
import { useKits } from '../../testing/useKits.ts'
import type { Token } from '../tokens.ts'
import {
  PermitSignerError,
  PriceMovedError,
  SwapChangedError,
  SwapNotIncludedError,
  SwapRevertedError,
  UnsafeTransactionError,
} from './errors.ts'
import { getSwapFee, swap } from './swap.ts'
import type { SwapOrder } from './swap.ts'

const { start } = useKits()

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const router = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const amount = 500_000_000n
const quoted = 10n ** 17n
const minimum = 99n * 10n ** 15n

type Call = Record<string, unknown>
const swapCall = {
  pay: usdc,
  get: weth,
  amount: String(amount),
  minimum: String(minimum),
  recipient: account,
  isNative: true,
  deadline: String(Math.floor(Date.now() / 1000) + 20 * 60),
}
const encode = (call: Call) => `0x${Buffer.from(JSON.stringify(call)).toString('hex')}`
const word = (value: bigint | string) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')
const approve = (spender: string, units: bigint) => `0x095ea7b3${word(spender)}${word(units)}`
const approval = {
  from: `eip155:1:${usdc}`,
  to: `eip155:1:${usdc}`,
  data: approve(router, amount),
  value: '0',
}
const swapped = { to: `eip155:1:${router}`, data: encode(swapCall), value: '0' }

type Answers = {
  allowance?: bigint
  approval?: Record<string, unknown>
  /** The reset that the token requires before the approval while an allowance is left. */
  reset?: Record<string, unknown>
  /** Whether the gateway can build the approval before the reset. */
  hasNext?: boolean
  swap?: Record<string, unknown> | ((body: Call) => Record<string, unknown>)
  quote?: bigint
}

/**
 * A connected site whose gateway responds with `answers`, and a swap of a token
 * for the native currency.
 */
async function open(answers: Answers = {}) {
  let isReset = false
  const buildApproval = () => {
    const tx = { ...approval, ...answers.approval }
    if (!answers.reset || isReset) return { tx }
    const reset = { ...approval, data: approve(router, 0n), ...answers.reset }
    return { tx: reset, ...(answers.hasNext !== false && { next: tx }) }
  }
  const request = vi.fn<GatewayClient['request']>(async (path, { body } = {}) => {
    switch (path) {
      case '/v1/convert/allowance':
        return { allowance: String(answers.allowance ?? 0n) }
      case '/v1/convert/quotes':
        return { quotes: [{ toAmount: String(answers.quote ?? quoted), fee: 0.3 }] }
      case '/v1/convert/build-approve':
        return buildApproval()
      default: {
        const change = answers.swap ?? {}
        return { tx: { ...swapped, ...(typeof change === 'function' ? change(body!) : change) } }
      }
    }
  })
  const site = start(
    { networks: [mainnet, optimism] },
    { request, analyticsEnabled: async () => false },
  )
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  const network = site.kit.getState().networks[0]!
  const token = (address: string | undefined, symbol: string, decimals: number): Token => ({
    id: address ? `eip155:1:${address}` : 'eip155:1',
    network,
    address,
    name: symbol,
    symbol,
    decimals,
    units: 10n ** 30n,
    amount: '1',
    price: undefined,
    value: undefined,
    image: undefined,
    isSpam: false,
  })
  const [dollar, ether] = [token(usdc, 'USDC', 6), token(undefined, 'ETH', 18)]
  const order: SwapOrder = {
    pay: dollar,
    get: ether,
    amount,
    minimum,
    slippage: 100,
    deadline: 20,
    account,
  }
  const steps: string[] = []
  const onStep = (step: string) => {
    steps.push(step)
    isReset ||= step === 'resetting'
  }
  const run = (change: Partial<SwapOrder> = {}) =>
    swap(site.kit, { ...order, ...change }, { onStep, isShown: () => true })
  return { ...site, request, order, dollar, ether, steps, run }
}

describe('a swap', () => {
  test('of a token approves exactly the amount, then swaps; the wallet sets the gas and its price', async () => {
    const { wallets, steps, run } = await open()
    expect(await run()).not.toBe(wallets.hash)
    expect(steps).toEqual(['approve', 'approving', 'swap', 'swapping'])
    expect(wallets.sent).toEqual([
      { to: usdc, data: approve(router, amount), value: 0n, caipNetworkId: 'eip155:1' },
      { to: router, data: swapped.data, value: 0n, caipNetworkId: 'eip155:1' },
    ])
  })

  test('with a sufficient allowance needs no approval', async () => {
    const { steps, run } = await open({ allowance: amount })
    await run()
    expect(steps).toEqual(['swap', 'swapping'])
  })

  test('of the native currency sends its amount as the value', async () => {
    const call = { ...swapCall, pay: weth, get: usdc, isNative: false }
    const { wallets, dollar, ether, request, run } = await open({
      swap: { data: encode(call), value: String(amount) },
    })
    await run({ pay: ether, get: dollar })
    expect(wallets.sent).toMatchObject([{ to: router, value: amount }])
    expect(request.mock.calls.map(([path]) => path)).not.toContain('/v1/convert/allowance')
  })

  test('is built by the gateway for exactly the order', async () => {
    const { request, run } = await open()
    await run()
    const userAddress = `eip155:1:${account}`
    const from = `eip155:1:${usdc}`
    const to = 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
    expect(
      request.mock.calls.map(([path, options]) => [path, options?.query ?? options?.body]),
    ).toEqual([
      ['/v1/convert/allowance', { tokenAddress: from, userAddress }],
      ['/v1/convert/build-approve', { userAddress, from, to, amount: String(amount) }],
      ['/v1/convert/quotes', { amount: String(amount), from, to }],
      [
        '/v1/convert/build-transaction',
        { amount: String(amount), from, to, userAddress, eip155: { slippage: 1, deadline: 20 } },
      ],
    ])
  })

  test('requests nothing if the account has changed before it starts', async () => {
    const { request, wallets, run } = await open()
    wallets.emit({
      type: 'accountsChanged',
      connectorId: wallets.ids[0],
      accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
    })
    await expect(run()).rejects.toThrow(SwapChangedError)
    expect(request).not.toHaveBeenCalled()
  })

  test('that never returns the minimum is built three times', async () => {
    const { request, run } = await open({
      allowance: amount,
      swap: { data: encode({ ...swapCall, minimum: String(minimum - 1n) }) },
    })
    await expect(run()).rejects.toThrow(PriceMovedError)
    const built = request.mock.calls.filter(([path]) => path === '/v1/convert/build-transaction')
    expect(built).toHaveLength(3)
  })

  test('after the price has moved a little, is built with the slippage that keeps the minimum', async () => {
    const options: unknown[] = []
    const { wallets, run } = await open({
      allowance: amount,
      quote: 9_950n * 10n ** 13n,
      swap: (body) => {
        options.push(body.eip155)
        return {}
      },
    })
    await run()
    expect(options).toEqual([{ slippage: 0.5, deadline: 20 }])
    expect(wallets.sent).toHaveLength(1)
  })

  test.each([
    ['the quote is below the minimum', { quote: minimum - 1n }],
    [
      'every transaction gets less than the minimum',
      { swap: { data: encode({ ...swapCall, minimum: String(minimum - 1n) }) } },
    ],
  ])('attack: if %s, nothing is sent', async (_, answers: Answers) => {
    const { wallets, run } = await open({ allowance: amount, ...answers })
    await expect(run()).rejects.toThrow(PriceMovedError)
    expect(wallets.sent).toEqual([])
  })

  test('a transaction that is built for less than its quote is built again with a smaller slippage', async () => {
    const options: unknown[] = []
    const { wallets, run } = await open({
      allowance: amount,
      swap: (body) => {
        options.push(body.eip155)
        const least = options.length === 1 ? minimum - 3n * 10n ** 14n : minimum
        return { data: encode({ ...swapCall, minimum: String(least) }) }
      },
    })
    await run()
    expect(options).toMatchObject([{ slippage: 1 }, { slippage: 0.7 }])
    expect(wallets.sent).toHaveLength(1)
  })

  test('attack: an approval for a contract that is not known is not sent to the wallet', async () => {
    const { wallets, run } = await open()
    wallets.unknownContracts = [router.toLowerCase()]
    const error = await run().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(UnsafeTransactionError)
    expect(String(error)).toContain(`the approved contract ${router.toLowerCase()} is not known`)
    expect(wallets.sent).toEqual([])
  })

  test('attack: a swap through a contract that is not known is not sent to the wallet', async () => {
    const { wallets, run } = await open({ allowance: amount })
    wallets.unknownContracts = [router]
    await expect(run()).rejects.toThrow(`the contract that swaps ${router} is not known`)
    expect(wallets.sent).toEqual([])
  })

  test('a swap without a deadline is sent', async () => {
    const { wallets, run } = await open({
      allowance: amount,
      swap: { data: encode({ ...swapCall, deadline: undefined }) },
    })
    await run()
    expect(wallets.sent).toHaveLength(1)
  })

  test('error: if there is no longer a route, the error has the gateway’s reason', async () => {
    const { request, run } = await open({ allowance: amount })
    const answer = request.getMockImplementation()!
    request.mockImplementation(async (path, options) =>
      path === '/v1/convert/quotes'
        ? { quotes: [], reasons: [{ code: 'low_liquidity' }] }
        : answer(path, options),
    )
    const error = await run().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ reason: 'low_liquidity' })
  })

  test('error: a reverted transaction is reported with its reason', async () => {
    const { wallets, run } = await open({ allowance: amount })
    wallets.revertReason = 'Too little received'
    const error = await run().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(SwapRevertedError)
    expect(error).toMatchObject({ details: 'Too little received' })
  })

  test('error: a transaction that another one replaced ends it', async () => {
    const { wallets, run } = await open({ allowance: amount })
    wallets.transactions[wallets.hash] = { status: 'replaced', how: 'canceled', hash: '0xother' }
    const error = await run().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(SwapNotIncludedError)
    expect(error).toMatchObject({ details: 'canceled' })
  })

  test('is recorded with its approval, and what both move', async () => {
    const { kit, wallets, run } = await open()
    const recorded: unknown[] = []
    kit.subscribe(() => {
      const { status, type, transfers } = kit.getState().pending[0] ?? {}
      if (status === 'confirmed')
        recorded.push([
          type,
          transfers?.map(({ direction, name, amount: moved }) => `${direction} ${moved} ${name}`),
        ])
    })
    await run()
    expect(wallets.sent).toHaveLength(2)
    expect(recorded).toEqual([
      ['approve', ['self 500 USDC']],
      ['trade', ['out 500 USDC', 'in 0 ETH']],
    ])
  })
})

describe('a token that refuses to change an allowance', () => {
  const left = { allowance: 5n, reset: {} }

  test.each([[true], [false]])(
    'has it set to zero first, in steps of their own; whether the gateway builds both at once: %s',
    async (hasNext) => {
      const { kit, wallets, steps, run } = await open({ ...left, hasNext })
      await run()
      expect(steps).toEqual([
        'approve',
        'reset',
        'resetting',
        'approve',
        'approving',
        'swap',
        'swapping',
      ])
      expect(wallets.sent.map(({ to, data }) => [to, data])).toEqual([
        [usdc, approve(router, 0n)],
        [usdc, approve(router, amount)],
        [router, swapped.data],
      ])
      const recorded = kit
        .getState()
        .pending.map(({ type, transfers }) => [type, transfers[0]!.amount])
      expect(recorded.slice(-1)).toEqual([['approve', '0']])
    },
  )

  test('has it set to zero in the same batch where the wallet executes batches', async () => {
    const { wallets, steps, request, run } = await open(left)
    wallets.atomic = 'supported'
    await run()
    expect(steps).toEqual(['batch', 'swapping'])
    expect(wallets.batches.map(({ calls }) => calls.map(({ data }) => data))).toEqual([
      [approve(router, 0n), approve(router, amount), swapped.data],
    ])
    const built = request.mock.calls.find(([path]) => path === '/v1/convert/build-transaction')
    expect(built![1]!.body).toMatchObject({ eip155: { withApproval: true, withReset: true } })
  })

  test('gets no batch if the gateway cannot build the approval before the reset', async () => {
    const { wallets, steps, run } = await open({ ...left, hasNext: false })
    wallets.atomic = 'supported'
    await run()
    expect(steps.slice(0, 3)).toEqual(['batch', 'approve', 'reset'])
    expect(wallets.batches).toEqual([])
    expect(wallets.sent).toHaveLength(3)
  })

  test('error: keeps its allowance if the visitor declines the reset', async () => {
    const { wallets, steps, run } = await open(left)
    wallets.faults.reject = true
    await expect(run()).rejects.toBeInstanceOf(UserRejectedError)
    expect(steps).toEqual(['approve', 'reset'])
  })

  test.each<[string, Answers]>([
    [
      'approves another amount after the reset',
      { approval: { data: approve(router, amount + 1n) } },
    ],
    ['approves another contract after the reset', { approval: { data: approve(other, amount) } }],
    ['approves nothing after the reset', { approval: { data: approve(router, 0n) } }],
    ['resets another token', { reset: { to: `eip155:1:${weth}` } }],
    ['resets with a payment', { reset: { value: '1' } }],
    ['resets the allowance of another contract', { reset: { data: approve(other, 0n) } }],
  ])('attack: a gateway that %s sends nothing to the wallet', async (_, answers) => {
    const { wallets, run } = await open({ ...left, ...answers })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['another amount', { data: approve(router, amount + 1n) }],
    ['another contract', { data: approve(other, amount) }],
    ['zero again', { data: approve(router, 0n) }],
  ])('attack: after the reset, an approval of %s is not sent', async (_, change) => {
    const { wallets, run } = await open({ ...left, hasNext: false, approval: change })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent.map(({ data }) => data)).toEqual([approve(router, 0n)])
  })
})

/**
 * The steps of a swap that need the wallet, each with the last request to the
 * gateway and the transactions sent before it.
 */
const stages = {
  'the approval': { path: '/v1/convert/build-approve', before: [] as string[] },
  'the swap after it': { path: '/v1/convert/build-transaction', before: [usdc] },
  'a swap of the native currency': { path: '/v1/convert/build-transaction', before: [] },
}
type Stage = keyof typeof stages
type Site = Awaited<ReturnType<typeof open>>

describe('if the wallet changes or fails before a step', () => {
  const behaviors: Record<string, [change: (site: Site) => unknown, error: object]> = {
    declines: [({ wallets }) => (wallets.faults.reject = true), { name: 'UserRejectedError' }],
    fails: [({ wallets }) => (wallets.faults.fail = true), { details: 'The wallet failed.' }],
    disconnects: [
      ({ wallets }) => wallets.emit({ type: 'disconnected', connectorId: wallets.ids[0] }),
      { code: 'wallet.not_connected' },
    ],
    'switches the account': [
      ({ wallets }) =>
        wallets.emit({
          type: 'accountsChanged',
          connectorId: wallets.ids[0],
          accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
        }),
      { code: 'swap.changed' },
    ],
    'switches the network': [
      ({ wallets }) =>
        wallets.emit({
          type: 'chainChanged',
          connectorId: wallets.ids[0],
          caipNetworkId: 'eip155:10',
        }),
      { code: 'swap.changed' },
    ],
    'switches to a network that is not configured': [
      ({ wallets }) =>
        wallets.emit({
          type: 'chainChanged',
          connectorId: wallets.ids[0],
          caipNetworkId: 'eip155:777',
        }),
      { code: 'swap.changed' },
    ],
  }
  test.each(
    Object.keys(stages).flatMap((stage) =>
      Object.keys(behaviors).map((behavior) => [behavior, stage as Stage] as const),
    ),
  )('attack: a wallet that %s before %s gets no further transaction', async (behavior, stage) => {
    const { site, run } = await openAt(stage)
    const [change, expected] = behaviors[behavior]!
    site.at(stages[stage].path, () => change(site))
    await expect(run()).rejects.toMatchObject(expected)
    expect(site.wallets.sent.map(({ to }) => to)).toEqual(stages[stage].before)
    expect(site.kit.getState().pending.map(({ status }) => status)).toEqual(
      stages[stage].before.map(() => 'confirmed'),
    )
  })

  test.each(Object.keys(stages) as Stage[])(
    'error: a wallet that returns no hash for %s ends the swap with a specific error',
    async (stage) => {
      const { site, run } = await openAt(stage)
      site.at(stages[stage].path, () => (site.wallets.faults.noHash = true))
      await expect(run()).rejects.toBeInstanceOf(WrongHashError)
      expect(site.wallets.sent).toHaveLength(stages[stage].before.length + 1)
    },
  )

  test('attack: the hash of the approval is not the receipt of the swap', async () => {
    const { site, run } = await openAt('the swap after it')
    site.wallets.faults.sameHash = true
    await expect(run()).rejects.toBeInstanceOf(WrongHashError)
    expect(site.steps).toEqual(['approve', 'approving', 'swap'])
    expect(site.kit.getState().pending).toMatchObject([{ type: 'approve', status: 'confirmed' }])
  })

  /**
   * Selects another account while the wallet shows the request of a stage, then
   * approves the request.
   */
  async function answerLate(stage: Stage) {
    const { site, run } = await openAt(stage)
    const { kit, wallets } = site
    site.at(stages[stage].path, () => (wallets.faults.hang = true))
    const running = run()
    const outcome = running.catch((error: unknown) => error)
    await expect.poll(() => wallets.isHanging).toBe(true)
    wallets.emit({
      type: 'accountsChanged',
      connectorId: wallets.ids[0],
      accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
    })
    wallets.faults.hang = false
    wallets.release()
    return { result: await outcome, last: kit.getState().pending[0] }
  }

  test.each(['the swap after it', 'a swap of the native currency'] as const)(
    'a wallet that approves %s after another account was selected has swapped for the original account',
    async (stage) => {
      const { result, last } = await answerLate(stage)
      expect(last).toMatchObject({ type: 'trade', account, status: 'confirmed', hash: result })
    },
  )

  test('attack: a wallet that approves the allowance after another account was selected gets no swap', async () => {
    const { result, last } = await answerLate('the approval')
    expect(result).toBeInstanceOf(SwapChangedError)
    expect(last).toMatchObject({ type: 'approve', account, status: 'confirmed' })
  })

  /** A site, and the swap that reaches the stage. */
  async function openAt(stage: Stage) {
    const isNative = stage === 'a swap of the native currency'
    const call = { ...swapCall, pay: weth, get: usdc, isNative: false }
    const site = await open(isNative ? { swap: { data: encode(call), value: String(amount) } } : {})
    const sides = isNative ? { pay: site.ether, get: site.dollar } : {}
    const answer = site.request.getMockImplementation()!
    const at = (path: string, act: () => unknown) =>
      site.request.mockImplementation(async (requested, options) => {
        if (requested === path) act()
        return answer(requested, options)
      })
    return { site: { ...site, at }, run: () => site.run(sides) }
  }
})

describe('batches', () => {
  async function openWithBatches(answers: Answers = {}) {
    const site = await open(answers)
    site.wallets.atomic = 'supported'
    return site
  }

  test('attack: approval and swap are sent as one atomic batch', async () => {
    const { kit, wallets, steps, request, run } = await openWithBatches()
    expect(await run()).toBe(wallets.hash)
    expect(steps).toEqual(['batch', 'swapping'])
    expect(wallets.batches).toEqual([
      {
        isAtomic: true,
        calls: [
          { to: usdc, data: approve(router, amount), value: 0n },
          { to: router, data: swapped.data, value: 0n },
        ],
      },
    ])
    expect(wallets.sent).toEqual([])
    const built = request.mock.calls.find(([path]) => path === '/v1/convert/build-transaction')
    expect(built![1]!.body).toMatchObject({ eip155: { withApproval: true } })
    expect(kit.getState().pending).toMatchObject([
      {
        type: 'trade',
        status: 'confirmed',
        hash: wallets.hash,
        fee: '0.000021',
        to: router,
        connectorId: wallets.ids[0],
      },
    ])
  })

  test('a batch without a hash has none', async () => {
    const { wallets, run } = await openWithBatches()
    wallets.callsStates[`calls-${wallets.hash}`] = { status: 'success' }
    expect(await run()).toBe('')
  })

  test.each([
    ['every chain', { '0x0': { atomic: { status: 'supported' } } }, true],
    ['another chain', { '0xa': { atomic: { status: 'supported' } } }, false],
    ['nothing of this chain', { '0x1': null }, false],
    ['no atomic batches', { '0x1': { atomic: null } }, false],
  ])('a wallet that reports capabilities of %s gets one batch: %s', async (_, reported, isOne) => {
    const { kit, wallets, run } = await open()
    const adapter = kit.adapters.get('eip155')!
    const actions = await adapter.actions()
    const batch = { ...actions.batch!, getCapabilities: async () => reported as never }
    vi.spyOn(adapter, 'actions').mockResolvedValue({ ...actions, batch })
    await run()
    expect(wallets.batches).toHaveLength(isOne ? 1 : 0)
  })

  test('a batch is used instead of a permit', async () => {
    const { wallets, dollar, steps, run } = await openWithBatches()
    wallets.permit = { domain: { name: 'USD Coin', version: '2', chainId: 1 }, nonce: 3n }
    await run({ pay: { ...dollar, permit: true } })
    expect(steps).toEqual(['batch', 'swapping'])
    expect(wallets.typedData).toEqual([])
  })

  test('a swap that needs no approval is not sent as a batch', async () => {
    const { steps, run } = await openWithBatches({ allowance: amount })
    await run()
    expect(steps).toEqual(['swap', 'swapping'])
  })

  test.each([
    ['would have to upgrade the account first', 'ready'],
    ['reports that it executes none', 'unsupported'],
    ['does not support the request', undefined],
    ['fails to respond', new Error('busy')],
  ] as const)('a wallet that %s gets two transactions', async (_, atomic) => {
    const { wallets, steps, run } = await open()
    wallets.atomic = atomic
    await run()
    expect(steps).toEqual(['approve', 'approving', 'swap', 'swapping'])
    expect(wallets.batches).toEqual([])
  })

  test('a wallet that reports its support too late gets two transactions', async () => {
    const { kit, steps, run } = await open()
    const adapter = kit.adapters.get('eip155')!
    const actions = await adapter.actions()
    const batch = { ...actions.batch!, getCapabilities: () => new Promise<never>(() => {}) }
    vi.spyOn(adapter, 'actions').mockResolvedValue({ ...actions, batch })
    const running = run()
    await vi.advanceTimersByTimeAsync(limits.walletCapabilitiesMs)
    await running
    expect(steps).toEqual(['approve', 'approving', 'swap', 'swapping'])
  })

  test('a wallet that refuses the batch gets two transactions', async () => {
    const { wallets, steps, run } = await openWithBatches()
    wallets.refusesBatches = true
    await run()
    expect(steps).toEqual(['batch', 'approve', 'approving', 'swap', 'swapping'])
    expect(wallets.sent.map(({ to }) => to)).toEqual([usdc, router])
  })

  test('the wallet gets two transactions if the gateway cannot simulate a batch', async () => {
    const { request, steps, run } = await openWithBatches()
    const answer = request.getMockImplementation()!
    request.mockImplementation(async (path, options) => {
      const { eip155 } = (options?.body ?? {}) as { eip155?: { withApproval?: boolean } }
      if (eip155?.withApproval) throw new GatewayError('no', { reason: 'no_batches' })
      return answer(path, options)
    })
    await run()
    expect(steps).toEqual(['batch', 'approve', 'approving', 'swap', 'swapping'])
  })

  test('error: a declined batch ends the swap, and nothing is sent', async () => {
    const { kit, wallets, steps, run } = await openWithBatches()
    wallets.faults.reject = true
    await expect(run()).rejects.toBeInstanceOf(UserRejectedError)
    expect(steps).toEqual(['batch'])
    expect(kit.getState().pending).toEqual([])
  })

  test('error: a reverted batch is reported with its reason', async () => {
    const { wallets, run } = await openWithBatches()
    const reason = 'Too little received'
    wallets.callsStates[`calls-${wallets.hash}`] = { status: 'reverted', reason }
    await expect(run()).rejects.toMatchObject({ code: 'swap.reverted', details: reason })
  })

  test('error: a batch that the wallet drops ends the swap', async () => {
    const { wallets, run } = await openWithBatches()
    wallets.callsStates[`calls-${wallets.hash}`] = { status: 'dropped' }
    await expect(run()).rejects.toMatchObject({ code: 'swap.not_included', details: 'dropped' })
  })

  test.each([
    ['approves another amount', { approval: { data: approve(router, amount + 1n) } }],
    [
      'approves a contract other than the one it calls',
      { approval: { data: approve(other, amount) } },
    ],
    ['pays another account', { swap: { data: encode({ ...swapCall, recipient: other }) } }],
  ])('attack: a batch that %s is not sent to the wallet', async (_, answers: Answers) => {
    const { wallets, run } = await openWithBatches(answers)
    await expect(run()).rejects.toBeInstanceOf(UnsafeTransactionError)
    expect(wallets.batches).toEqual([])
    expect(wallets.sent).toEqual([])
  })

  test('attack: no batch is sent if the account has changed', async () => {
    const site = await openWithBatches()
    const answer = site.request.getMockImplementation()!
    site.request.mockImplementation(async (path, options) => {
      if (path === '/v1/convert/build-transaction')
        site.wallets.emit({
          type: 'accountsChanged',
          connectorId: site.wallets.ids[0],
          accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
        })
      return answer(path, options)
    })
    await expect(site.run()).rejects.toBeInstanceOf(SwapChangedError)
    expect(site.wallets.batches).toEqual([])
  })
})

describe('a permit', () => {
  const signature = `0x${'1b'.repeat(65)}`
  const terms = { domain: { name: 'USD Coin', version: '2', chainId: 1 }, nonce: 3n }
  /** The built swap uses the permit that it receives, with one change. */
  const withPermit = (change: Call = {}) => ({
    swap: ({ eip155 }: Call) => {
      const { permit } = eip155 as { permit?: { deadline: number } }
      const used = permit && { token: usdc, amount: String(amount), deadline: permit.deadline }
      const call = { ...swapCall, permit: used && { ...used, ...change } }
      return { data: encode(call) }
    },
  })
  async function openWithPermit(answers: Answers = withPermit()) {
    const site = await open(answers)
    Object.assign(site.wallets, { permit: terms, typedSignature: signature })
    const pay = { ...site.dollar, permit: true }
    return { ...site, pay, run: () => site.run({ pay }) }
  }

  test('replaces the approval, for exactly the amount and the approved contract', async () => {
    const { wallets, steps, request, run } = await openWithPermit()
    await run()
    expect(steps).toEqual(['permit', 'swap', 'swapping'])
    expect(wallets.sent.map(({ to }) => to)).toEqual([router])
    const [signed] = wallets.typedData
    expect(signed).toMatchObject({
      domain: terms.domain,
      primaryType: 'Permit',
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      message: { owner: account, value: amount, nonce: 3n },
    })
    expect(String(signed!.message.spender).toLowerCase()).toBe(router.toLowerCase())
    const built = request.mock.calls.find(([path]) => path === '/v1/convert/build-transaction')
    expect(built![1]!.body).toMatchObject({
      eip155: { permit: { signature, deadline: Number(signed!.message.deadline) } },
    })
    const startedAt = Number(signed!.message.deadline) - 20 * 60
    expect(Math.abs(startedAt - Date.now() / 1000)).toBeLessThan(60)
  })

  test.each<[string, (site: Awaited<ReturnType<typeof openWithPermit>>) => unknown]>([
    ['the token does not support permits', ({ wallets }) => (wallets.permit = undefined)],
    ['the gateway reports no permit for the token', ({ pay }) => (pay.permit = false)],
    ['the signature has no prefix', ({ wallets }) => (wallets.typedSignature = signature.slice(2))],
    ['text is before the signature', ({ wallets }) => (wallets.typedSignature = `x${signature}`)],
    ['a contract has signed', ({ wallets }) => (wallets.typedSignature = `${signature}00`)],
    ['the wallet does not sign typed data', ({ wallets }) => (wallets.faults.typedData = true)],
  ])('is replaced by an approval if %s', async (_, change) => {
    const site = await openWithPermit()
    change(site)
    await site.run()
    expect(site.wallets.sent.map(({ to }) => to)).toEqual([usdc, router])
    expect(site.steps.slice(-4)).toEqual(['approve', 'approving', 'swap', 'swapping'])
  })

  test('attack: is not signed if the account has changed', async () => {
    const site = await openWithPermit()
    const answer = site.request.getMockImplementation()!
    site.request.mockImplementation(async (path, options) => {
      if (path === '/v1/convert/build-approve')
        site.wallets.emit({
          type: 'accountsChanged',
          connectorId: site.wallets.ids[0],
          accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
        })
      return answer(path, options)
    })
    await expect(site.run()).rejects.toThrow(SwapChangedError)
    expect(site.wallets.typedData).toEqual([])
  })

  test('error: that the visitor declines ends the swap', async () => {
    const { wallets, steps, run } = await openWithPermit()
    wallets.faults.reject = true
    await expect(run()).rejects.toThrow(UserRejectedError)
    expect(steps).toEqual(['permit'])
  })

  test('attack: signed with another account’s key is not sent to the gateway', async () => {
    const { wallets, request, steps, run } = await openWithPermit()
    wallets.faults.otherKey = true
    await expect(run()).rejects.toThrow(PermitSignerError)
    expect(request.mock.calls.map(([path]) => path)).not.toContain('/v1/convert/build-transaction')
    expect([wallets.sent, steps]).toEqual([[], ['permit']])
  })

  test.each<[string, Call]>([
    ['for a larger amount', { amount: String(amount + 1n) }],
    ['of another token', { token: weth }],
    ['with another deadline', { deadline: '99999999999' }],
  ])('attack: a swap that uses a permit %s is not sent to the wallet', async (_, change) => {
    const { wallets, run } = await openWithPermit(withPermit(change))
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  test('attack: a swap that uses a permit that was not signed is not sent to the wallet', async () => {
    const permit = { token: usdc, amount: String(amount), deadline: '1' }
    const { wallets, run } = await open({
      allowance: amount,
      swap: { data: encode({ ...swapCall, permit }) },
    })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  test('attack: a permit is used only with the contract that it names', async () => {
    const { swap: build } = withPermit()
    const { wallets, run } = await openWithPermit({
      swap: (body) => ({ ...build(body), to: `eip155:1:${other}` }),
    })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['more than the amount', { data: approve(router, amount + 1n) }],
    ['the account itself', { data: approve(account, amount) }],
    ['the token', { data: approve(usdc, amount) }],
  ])('attack: if the gateway names %s to approve, no permit is signed', async (_, change) => {
    const { wallets, run } = await openWithPermit({ ...withPermit(), approval: change })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.typedData).toEqual([])
  })
})

describe('a gateway that builds something else than the visitor accepted', () => {
  test.each<[string, Record<string, unknown>]>([
    ['an unlimited approval', { data: approve(router, 2n ** 256n - 1n) }],
    ['an approval of one unit more', { data: approve(router, amount + 1n) }],
    ['another token’s approval', { to: `eip155:1:${weth}` }],
    ['an approval on another network', { to: `eip155:10:${usdc}` }],
    ['an approval with a payment', { value: '1' }],
    ['a transfer', { data: `0xa9059cbb${word(router)}${word(amount)}` }],
    ['an approval with more bytes', { data: `${approve(router, amount)}00` }],
    ['an approval of the account itself', { data: approve(account, amount) }],
  ])('attack: %s is not sent to the wallet', async (_, change) => {
    const { wallets, run } = await open({ approval: change })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  const call = (change: Call) => ({ data: encode({ ...swapCall, ...change }) })
  test.each<[string, Record<string, unknown>]>([
    ['another recipient', call({ recipient: other })],
    ['a larger amount', call({ amount: String(amount * 2n) })],
    ['another token to pay with', call({ pay: weth })],
    ['the wrapped token in place of the native currency', call({ isNative: false })],
    ['a payment of the native currency', { value: '1' }],
    ['a deadline far in the future', call({ deadline: String(2n ** 64n) })],
    [
      'a deadline an hour after the requested one',
      call({ deadline: String(Math.floor(Date.now() / 1000) + 80 * 60) }),
    ],
    ['call data that cannot be read', { data: '0x12345678' }],
    ['another network', { to: `eip155:10:${router}` }],
    ['a call of the token', { to: `eip155:1:${usdc}` }],
    ['a call of the account', { to: `eip155:1:${account}` }],
  ])('attack: a swap with %s is not sent to the wallet', async (_, change) => {
    const { wallets, run } = await open({ allowance: amount, swap: change })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  test('a deadline may differ by as much as the clocks', async () => {
    const latest = Math.floor(Date.now() / 1000) + 20 * 60 + limits.swapClockSkewSeconds
    const late = await open({ allowance: amount, swap: call({ deadline: String(latest + 1) }) })
    await expect(late.run()).rejects.toThrow('the deadline')
    const inTime = await open({ allowance: amount, swap: call({ deadline: String(latest) }) })
    await inTime.run()
    expect(inTime.wallets.sent).toHaveLength(1)
  })

  test('attack: a swap that calls the token to get is not sent to the wallet', async () => {
    const { wallets, dollar, ether, run } = await open({
      swap: {
        ...call({ pay: weth, get: usdc, isNative: false }),
        value: String(amount),
        to: `eip155:1:${usdc}`,
      },
    })
    await expect(run({ pay: ether, get: dollar })).rejects.toThrow('the contract that swaps')
    expect(wallets.sent).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['no receiver', { to: undefined }],
    ['a receiver without a network', { to: router }],
    ['no data', { data: undefined }],
    ['empty data', { data: '0x' }],
    ['half a byte', { data: `${swapped.data}0` }],
    ['text before the data', { data: `x${swapped.data}` }],
    ['text after the data', { data: `${swapped.data}zz` }],
    ['a value that is not a number', { value: '0x0' }],
  ])('error: a transaction with %s is malformed', async (_, change) => {
    const { wallets, run } = await open({ allowance: amount, swap: change })
    await expect(run()).rejects.toThrow('The gateway sent a malformed transaction.')
    expect(wallets.sent).toEqual([])
  })

  test('attack: a swap for another token is not sent to the wallet', async () => {
    const { wallets, dollar, ether, run } = await open({
      swap: { ...call({ pay: weth, get: other, isNative: false }), value: String(amount) },
    })
    await expect(run({ pay: ether, get: dollar })).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent).toEqual([])
  })

  test('attack: a swap through a contract other than the approved one is not sent to the wallet', async () => {
    const { wallets, run } = await open({ swap: { to: `eip155:1:${other}` } })
    await expect(run()).rejects.toThrow(UnsafeTransactionError)
    expect(wallets.sent.map(({ to }) => to)).toEqual([usdc])
  })
})

describe('the fee of a smart account', () => {
  const approved = { to: usdc, data: approve(router, amount), value: 0n }
  const swapping = { to: router, data: swapped.data, value: 0n }

  test('is that of the approval and the swap together', async () => {
    const { kit, wallets, order } = await open()
    wallets.callsFee = 7n
    expect(await getSwapFee(kit, order)).toBe(7n)
    expect(wallets.feesOf).toEqual([[approved, swapping]])
    expect(wallets.sent).toEqual([])
    expect(wallets.batches).toEqual([])
  })

  test('includes the reset that the token needs', async () => {
    const { kit, wallets, order } = await open({ allowance: 1n, reset: {} })
    await getSwapFee(kit, order)
    const reset = { ...approved, data: approve(router, 0n) }
    expect(wallets.feesOf).toEqual([[reset, approved, swapping]])
  })

  test('is that of the swap alone if the allowance suffices', async () => {
    const { kit, wallets, order } = await open({ allowance: amount })
    await getSwapFee(kit, order)
    expect(wallets.feesOf).toEqual([[swapping]])
  })

  test('of a swap of the native currency needs no allowance', async () => {
    const data = encode({ ...swapCall, pay: weth, get: usdc, isNative: false })
    const { kit, request, wallets, order, dollar, ether } = await open({
      swap: { data, value: String(amount) },
    })
    await getSwapFee(kit, { ...order, pay: ether, get: dollar })
    expect(wallets.feesOf).toEqual([[{ to: router, data, value: amount }]])
    expect(request.mock.calls.map(([path]) => path)).not.toContain('/v1/convert/allowance')
  })

  test('error: is not requested if the account has changed', async () => {
    const { kit, wallets, order } = await open({ allowance: amount })
    wallets.emit({
      type: 'accountsChanged',
      connectorId: wallets.ids[0],
      accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
    })
    await expect(getSwapFee(kit, order)).rejects.toThrow(SwapChangedError)
    expect(wallets.feesOf).toEqual([])
  })

  test('is not known if the token has to be reset before the gateway can build the approval', async () => {
    const { kit, wallets, order } = await open({ allowance: 1n, reset: {}, hasNext: false })
    wallets.callsFee = 7n
    expect(await getSwapFee(kit, order)).toBeUndefined()
    expect(wallets.feesOf).toEqual([])
  })
})
