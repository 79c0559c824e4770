import {
  accounts,
  addresses,
  gatefoldLocal,
  smartAccounts,
  sponsor,
  startChain,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import {
  smartAccountKind,
  type PaymasterBody,
  type PaymasterFields,
  type PaymasterResponse,
} from '@gatefold/protocol/frame'
import {
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  hexToBigInt,
  http,
  numberToHex,
  parseAbi,
  parseEventLogs,
  publicActions,
  size,
  type Hex,
} from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  listSponsorTotals,
  saveSponsorPolicy,
  type SponsorPolicy,
} from '../../storage/frame/sponsors.ts'
import { saveProject } from '../../storage/projects.ts'
import { pageOrigin, testSet } from '../../testing/createTestDevice.ts'
import { createClock, createTestFrame } from '../../testing/createTestFrame.ts'
import { createDatabase, engines } from '../../testing/databases.ts'
import { startTestBundler } from '../../testing/startTestBundler.ts'
import {
  encodeTestCalls,
  paymasterBody,
  testOperation,
  testOwner,
} from '../../testing/testOperation.ts'
import { testProject } from '../../testing/testProject.ts'

const modules = smartAccounts['eip155:31337']
const settings = { smartAccounts, paymasterKey: sponsor.privateKey }
const { book, usdc } = addresses
const abi = parseAbi(['function mint(address to, uint256 amount)', 'function burn(uint256 amount)'])
const mint = encodeFunctionData({ abi, functionName: 'mint', args: [book, 1n] })
const burn = encodeFunctionData({ abi, functionName: 'burn', args: [1n] })
const anything: SponsorPolicy = {
  contracts: [],
  methods: [],
  userDayGwei: 2_500_000,
  dayGwei: 1_000_000_000,
  totalGwei: 1_000_000_000,
}
const operation = testOperation([{ to: book, data: mint }], modules)

let bundler: Awaited<ReturnType<typeof startTestBundler>>
beforeAll(async () => {
  bundler = await startTestBundler(operation)
})
afterAll(() => bundler?.stop())

async function start(
  policy: Partial<SponsorPolicy> | undefined,
  config: Parameters<typeof createTestFrame>[0] = {},
) {
  const clock = createClock()
  const bundlerUrls = { 'eip155:31337': [bundler.url] }
  const frame = await createTestFrame({ ...settings, bundlerUrls, ...config }, { now: clock.now })
  const { db } = frame.context.storage
  if (policy) await saveSponsorPolicy(db, 'default', { ...anything, ...policy })
  /** Logs in. The user's wallet gets an owner of its smart account, unless the owner is `null`. */
  async function login(
    email = 'ada@example.com',
    {
      projectId = 'default',
      owner = testOwner,
    }: { projectId?: string; owner?: string | null } = {},
  ) {
    const device = await frame.device()
    clock.advance(31)
    const { session, user } = await device.login(email, { projectId })
    if (user.wallet === null && owner !== null) {
      const smartAccount = { kind: smartAccountKind, owner } as const
      await device.createWallet(session, testSet({ smartAccount }))
    }
    /** Sends a request. @returns its result, or the reason of its refusal */
    async function ask(body: PaymasterBody) {
      const answer = await device.post<PaymasterResponse>('/api/paymaster', body, session)
      if (answer.status !== 200) return answer.reason!.field
      return 'result' in answer.body ? answer.body.result : answer.body.error.data.reason
    }
    return { ...device, session, ask }
  }
  return { ...frame, db, clock, login, [Symbol.asyncDispose]: () => frame.stop() }
}

describe('sponsored operations', () => {
  test('an operation of a signed-in user is paid for within the policy', async () => {
    await using frame = await start({ contracts: [book.toLowerCase()], methods: ['0x40c10f19'] })
    const { ask } = await frame.login()
    const stub = await ask(paymasterBody(operation, { method: 'pm_getPaymasterStubData' }))
    expect(stub).toEqual({
      paymaster: addresses.paymaster,
      paymasterData: expect.stringMatching(/^0x[0-9a-f]{258}$/) as string,
      paymasterVerificationGasLimit: '0xea60',
      paymasterPostOpGasLimit: '0x0',
    })
    const final = await ask(paymasterBody(operation))
    expect(final).toMatchObject({ paymaster: addresses.paymaster })
    expect(size((final as PaymasterFields).paymasterData)).toBe(129)
  })

  test('the gas for checking the signature is what the operation sets, but not too little', async () => {
    await using frame = await start({ userDayGwei: 3_000_000 })
    const { ask } = await frame.login()
    for (const [set, expected] of [
      ['0xea5f', '0xea60'],
      ['0x186a0', '0x186a0'],
    ]) {
      const body = paymasterBody({ ...operation, paymasterVerificationGasLimit: set })
      expect(await ask(body)).toMatchObject({ paymasterVerificationGasLimit: expected })
    }
  })

  test('attack: gas that an operation sets for the paymaster counts towards the limits', async () => {
    await using frame = await start({ userDayGwei: 1_039_999 })
    const { ask } = await frame.login()
    const more = { ...operation, paymasterVerificationGasLimit: '0x186a0' }
    expect(await ask(paymasterBody(more))).toBe('user')
  })

  test('error: without a policy, a paymaster or a session nothing is sponsored', async () => {
    await using none = await start(undefined)
    expect(await (await none.login()).ask(paymasterBody(operation))).toBe('project')
    await using other = await start({})
    const { ask, post } = await other.login()
    expect(await ask(paymasterBody(operation, { chainId: 1 }))).toBe('chain')
    expect((await post('/api/paymaster', paymasterBody(operation))).status).toBe(401)
    await using keyless = await start({}, { paymasterKey: undefined })
    expect(await (await keyless.login()).ask(paymasterBody(operation))).toBe('chain')
  })

  test.each([
    ['to another contract', [{ to: usdc, data: mint }]],
    ['of another method', [{ to: book, data: burn }]],
    ['without data', [{ to: book, value: 1n }]],
    [
      'that is hidden in a batch',
      [
        { to: book, data: mint },
        { to: usdc, data: mint },
      ],
    ],
    ['that runs other code as the account', [{ to: book, data: mint, kind: 1 as const }]],
    [
      'that runs other code in a batch',
      [
        { to: book, data: mint },
        { to: book, data: mint, kind: 1 as const },
      ],
    ],
  ])('attack: a call %s is not sponsored', async (_, calls) => {
    await using frame = await start({ contracts: [book.toLowerCase()], methods: ['0x40c10f19'] })
    const { ask } = await frame.login()
    expect(await ask(paymasterBody(testOperation(calls, modules)))).toBe('call')
  })

  test.each([
    ['callGasLimit', '0x98000'],
    ['verificationGasLimit', '0x98000'],
    ['preVerificationGas', '0x34000'],
    ['maxFeePerGas', '0x60000000'],
    ['maxPriorityFeePerGas', '0x2'],
  ] as const)(
    'attack: an operation with more %s than it needs, which its bundler would get, is not sponsored',
    async (name, value) => {
      await using frame = await start({})
      const { ask } = await frame.login()
      expect(await ask(paymasterBody({ ...operation, [name]: value }))).toBe('gas')
      expect(await listSponsorTotals(frame.db, 'default')).toEqual([])
    },
  )

  test('attack: gas for the paymaster after the operation, which its bundler would get, is not sponsored', async () => {
    await using frame = await start({})
    const { ask } = await frame.login()
    const body = paymasterBody({ ...operation, paymasterPostOpGasLimit: '0xffffff' })
    expect(await ask(body)).toMatchObject({ paymasterPostOpGasLimit: '0x0' })
  })

  test('without an estimate nothing is sponsored', async () => {
    await using frame = await start({}, { bundlerUrls: {} })
    const { ask } = await frame.login()
    expect(await ask(paymasterBody(operation))).toBe('gas')
  })

  test('attack: a batch that also sends value to the contract of batches is not sponsored', async () => {
    await using frame = await start({})
    const { ask } = await frame.login()
    const calls = [
      { to: book, data: mint },
      { to: book, data: mint },
    ]
    const callData = encodeTestCalls(calls, 1n)
    expect(await ask(paymasterBody({ ...operation, callData }))).toBe('call')
  })

  test.each([
    ['another contract', { sender: usdc }],
    ['an account that another factory creates', { factory: usdc }],
    ['an account with other owners', { factoryData: `${operation.factoryData}00` as Hex }],
  ])('attack: an operation of %s is not sponsored', async (_, change) => {
    await using frame = await start({})
    const { ask } = await frame.login()
    expect(await ask(paymasterBody({ ...operation, ...change }))).toBe('account')
  })

  test.each([
    ['another owner', accounts[1].address],
    ['an owner, for a user without a wallet', null],
  ])('attack: an operation of the smart account of %s is not sponsored', async (_, owner) => {
    await using frame = await start({})
    const { ask } = await frame.login('mallory@example.com', { owner })
    for (const method of ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const)
      expect(await ask(paymasterBody(operation, { method }))).toBe('account')
    expect(await listSponsorTotals(frame.db, 'default')).toEqual([])
  })

  test('attack: operations count towards the budget of the project that the user logged in to', async () => {
    await using frame = await start({})
    const project = testProject({ id: 'other', allowedOrigins: [pageOrigin] })
    await saveProject(frame.db, project, 1)
    const { ask } = await frame.login('ada@example.com', { projectId: 'other' })
    const body = paymasterBody(operation)
    Object.assign(body.params[3], { projectId: 'default' })
    expect(await ask(body)).toBe('project')
    await saveSponsorPolicy(frame.db, 'other', { ...anything, totalGwei: 1 })
    expect(await ask(body)).toBe('total')
  })

  test('a project that no longer allows the page pays for nothing', async () => {
    await using frame = await start({})
    await saveProject(frame.db, testProject({ id: 'other', allowedOrigins: [pageOrigin] }), 1)
    await saveSponsorPolicy(frame.db, 'other', anything)
    const { ask } = await frame.login('ada@example.com', { projectId: 'other' })
    await saveProject(frame.db, testProject({ id: 'other' }), 2)
    frame.clock.advance(60)
    expect(await ask(paymasterBody(operation))).toBe('project')
  })

  test('a request that was refused counts towards no limit', async () => {
    await using frame = await start({ userDayGwei: 1_000_000, totalGwei: 1_500_000 })
    const [ada, grace] = [await frame.login(), await frame.login('grace@example.com')]
    expect(await ada.ask(paymasterBody(operation))).toMatchObject({
      paymaster: addresses.paymaster,
    })
    expect(await ada.ask(paymasterBody(operation))).toBe('total')
    const cheap = { ...operation, maxFeePerGas: '0x1dcd6500' }
    expect(await grace.ask(paymasterBody(cheap))).toMatchObject({ paymaster: addresses.paymaster })
  })

  test('attack: operations that cost less than a gwei are not free', async () => {
    await using frame = await start({ userDayGwei: 1 })
    const { ask } = await frame.login()
    const cheap = { ...operation, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }
    expect(await ask(paymasterBody(cheap))).toMatchObject({ paymaster: addresses.paymaster })
    expect(await ask(paymasterBody(cheap))).toBe('user')
  })

  test('daily limits reset the next day; the total does not', async () => {
    await using frame = await start({ userDayGwei: 1_000_000, totalGwei: 2_000_000 })
    for (const expected of ['user', 'total']) {
      const { ask } = await frame.login()
      expect(await ask(paymasterBody(operation))).toMatchObject({ paymaster: addresses.paymaster })
      const stub = paymasterBody(operation, { method: 'pm_getPaymasterStubData' })
      expect(await ask(stub)).toBe(expected)
      frame.clock.advance(86_400)
    }
  })
})

describe.each(engines)('the limits on %s', (engine) => {
  test('attack: parallel requests do not exceed a limit', async () => {
    const database = await createDatabase(engine)
    await using frame = await start({ userDayGwei: 3_000_000 }, database.config)
    const { ask } = await frame.login()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => ask(paymasterBody(operation))),
    )
    expect(answers.filter((answer) => answer === 'user')).toHaveLength(17)
    await frame.stop()
    await database.remove()
  })

  test.each([
    ['user', { userDayGwei: 2_000_000 }, 'ada@example.com', 'user'],
    ['day', { dayGwei: 2_000_000 }, 'grace@example.com', 'day'],
    ['total', { totalGwei: 2_000_000 }, 'grace@example.com', 'total'],
  ])('attack: the limit of the %s ends sponsoring', async (_, policy, third, reason) => {
    const database = await createDatabase(engine)
    await using frame = await start(policy, database.config)
    const { ask } = await frame.login()
    for (let count = 0; count < 2; count += 1)
      expect(await ask(paymasterBody(operation))).toMatchObject({ paymaster: addresses.paymaster })
    const { ask: askThird } = await frame.login(third)
    expect(await askThird(paymasterBody(operation))).toBe(reason)
    await frame.stop()
    await database.remove()
  })
})

describe('the signature at the paymaster contract', () => {
  let chain: Chain
  beforeAll(async () => {
    chain = await startChain()
  })
  afterAll(() => chain.stop())

  /**
   * The contract's verdict on an operation, called as the entry point calls it.
   */
  async function validate(sent: typeof operation, fields: PaymasterFields) {
    const client = createPublicClient({ transport: http(chain.url) })
    const big = (value: string) => hexToBigInt(value as Hex)
    const packed = toPackedUserOperation({
      ...sent,
      nonce: big(sent.nonce),
      callGasLimit: big(sent.callGasLimit),
      verificationGasLimit: big(sent.verificationGasLimit),
      preVerificationGas: big(sent.preVerificationGas),
      maxFeePerGas: big(sent.maxFeePerGas),
      maxPriorityFeePerGas: big(sent.maxPriorityFeePerGas),
      paymaster: fields.paymaster,
      paymasterData: fields.paymasterData,
      paymasterVerificationGasLimit: big(fields.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: big(fields.paymasterPostOpGasLimit),
      signature: '0x',
    })
    const [, data] = await client.readContract({
      account: addresses.entryPoint07,
      address: fields.paymaster,
      abi: parseAbi([
        'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
        'function validatePaymasterUserOp(Op op, bytes32 hash, uint256 maxCost) view returns (bytes context, uint256 validationData)',
      ]),
      functionName: 'validatePaymasterUserOp',
      args: [packed, `0x${'00'.repeat(32)}`, 1n],
    })
    const text = numberToHex(data, { size: 32 })
    return {
      isSigned: BigInt(`0x${text.slice(26)}`) === 0n,
      validUntil: Number(`0x${text.slice(14, 26)}`),
    }
  }

  /**
   * Signs an operation, and executes it as a bundler does.
   *
   * @param privateKey - of the account's owner by default.
   * @returns its cost in gwei
   */
  async function execute(
    sent: typeof operation,
    fields: PaymasterFields,
    privateKey: Hex = accounts[5].privateKey,
  ): Promise<number> {
    const account = privateKeyToAccount(privateKey)
    const client = createWalletClient({
      account: privateKeyToAccount(accounts[0].privateKey),
      chain: gatefoldLocal(chain.url),
      transport: http(),
      pollingInterval: 5,
    }).extend(publicActions)
    const big = (value: string) => hexToBigInt(value as Hex)
    const unsigned = {
      ...sent,
      nonce: big(sent.nonce),
      callGasLimit: big(sent.callGasLimit),
      verificationGasLimit: big(sent.verificationGasLimit),
      preVerificationGas: big(sent.preVerificationGas),
      maxFeePerGas: big(sent.maxFeePerGas),
      maxPriorityFeePerGas: big(sent.maxPriorityFeePerGas),
      paymaster: fields.paymaster,
      paymasterData: fields.paymasterData,
      paymasterVerificationGasLimit: big(fields.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: big(fields.paymasterPostOpGasLimit),
    }
    const packed = toPackedUserOperation({ ...unsigned, signature: '0x' })
    const signature = await account.signTypedData({
      domain: { chainId: 31_337, verifyingContract: modules.module },
      types: {
        SafeOp: [
          'address safe',
          'uint256 nonce',
          'bytes initCode',
          'bytes callData',
          'uint128 verificationGasLimit',
          'uint128 callGasLimit',
          'uint256 preVerificationGas',
          'uint128 maxPriorityFeePerGas',
          'uint128 maxFeePerGas',
          'bytes paymasterAndData',
          'uint48 validAfter',
          'uint48 validUntil',
          'address entryPoint',
        ].map((field) => {
          const [type, name] = field.split(' ') as [string, string]
          return { type, name }
        }),
      },
      primaryType: 'SafeOp',
      message: {
        ...unsigned,
        safe: sent.sender,
        initCode: packed.initCode,
        paymasterAndData: packed.paymasterAndData,
        validAfter: 0,
        validUntil: 0,
        entryPoint: addresses.entryPoint07,
      },
    })
    const hash = await client.writeContract({
      address: addresses.entryPoint07,
      abi: entryPoint07Abi,
      functionName: 'handleOps',
      args: [
        [{ ...packed, signature: concat([`0x${'00'.repeat(12)}`, signature]) }],
        accounts[0].address,
      ],
    })
    const { logs } = await receiptOf(client, hash)
    const [log] = parseEventLogs({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', logs })
    expect(log!.args.success).toBe(true)
    return Number((log!.args.actualGasCost + 999_999_999n) / 1_000_000_000n)
  }

  const totals = async ({ db }: Awaited<ReturnType<typeof start>>) =>
    (await listSponsorTotals(db, 'default')).map(({ gwei }) => gwei)

  test('attack: a user who names the owner of another account can neither execute its operations nor use its budget', async () => {
    await using frame = await start(
      { userDayGwei: 1_500_000 },
      { rpcUrls: { 'eip155:31337': [chain.url] } },
    )
    const owner = await frame.login('ada@example.com')
    const mallory = await frame.login('mallory@example.com')
    const fields = (await mallory.ask(paymasterBody(operation))) as PaymasterFields
    // The account's signature is invalid.
    await expect(execute(operation, fields, accounts[6].privateKey)).rejects.toThrow('AA24')
    expect(await owner.ask(paymasterBody(operation))).toMatchObject({
      paymaster: addresses.paymaster,
    })
    expect(await mallory.ask(paymasterBody(operation))).toBe('user')
  })

  test('an operation counts with what it cost, once it is executed', async () => {
    await using frame = await start(
      { userDayGwei: 1_500_000 },
      { rpcUrls: { 'eip155:31337': [chain.url] } },
    )
    const { ask } = await frame.login()
    const fields = (await ask(paymasterBody(operation))) as PaymasterFields
    expect(await totals(frame)).toEqual([1_000_000])
    expect(await ask(paymasterBody(operation))).toBe('user')
    const cost = await execute(operation, fields)
    // The budget is computed again before an operation is refused.
    const next = { ...operation, nonce: '0x1' }
    const answers = await Promise.all([ask(paymasterBody(next)), ask(paymasterBody(next))])
    expect(answers.filter((answer) => answer === 'user')).toHaveLength(1)
    expect(await totals(frame)).toEqual([cost + 1_000_000])
  })

  test('attack: the budget of an operation that was not executed is released only after it has expired on the chain', async () => {
    await using frame = await start(
      { totalGwei: 1_500_000 },
      { rpcUrls: { 'eip155:31337': [chain.url] } },
    )
    const { ask } = await frame.login()
    const later = { ...operation, nonce: '0x2' }
    expect(await ask(paymasterBody(later))).toMatchObject({ paymaster: addresses.paymaster })
    // The server's clock does not matter: a block may still execute it.
    frame.clock.advance(3_600)
    const { ask: askAgain } = await frame.login()
    expect(await askAgain(paymasterBody(later))).toBe('total')
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    await node.increaseTime({ seconds: limits.sponsoredSeconds + 120 })
    await node.mine({ blocks: 1 })
    expect(await askAgain(paymasterBody(later))).toMatchObject({ paymaster: addresses.paymaster })
    expect(await totals(frame)).toEqual([1_000_000])
    await node.increaseTime({ seconds: 3_600 + limits.sponsoredSeconds + 120 })
    await node.mine({ blocks: 1 })
    frame.startJobs()
    await expect.poll(async () => totals(frame)).toEqual([0])
  })

  test('attack: two users who name the same owner cannot move a budget from one project to the other', async () => {
    await using frame = await start({}, { rpcUrls: { 'eip155:31337': [chain.url] } })
    await saveProject(frame.db, testProject({ id: 'other', allowedOrigins: [pageOrigin] }), 1)
    await saveSponsorPolicy(frame.db, 'other', anything)
    const first = await frame.login('ada@example.com')
    const second = await frame.login('mallory@example.com', { projectId: 'other' })
    const sent = { ...operation, nonce: numberToHex(2n << 64n) }
    // In the same second, both have the same hash.
    expect(await first.ask(paymasterBody(sent))).toEqual(await second.ask(paymasterBody(sent)))
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    // The logins have moved the server's clock ahead of the chain's.
    await node.increaseTime({ seconds: limits.sponsoredSeconds + 600 })
    await node.mine({ blocks: 1 })
    frame.startJobs()
    await expect.poll(async () => totals(frame)).toEqual([0])
    const other = await listSponsorTotals(frame.db, 'other')
    expect(other.map(({ gwei }) => gwei)).toEqual([1_000_000])
  })

  test('is accepted for five minutes', async () => {
    await using frame = await start({})
    const { ask } = await frame.login()
    const fields = (await ask(paymasterBody(operation))) as PaymasterFields
    expect(await validate(operation, fields)).toEqual({
      isSigned: true,
      validUntil: Math.floor(frame.clock.now() / 1000) + 300,
    })
  })

  test.each([
    ['other calls', { callData: encodeTestCalls([{ to: usdc, data: mint }]) }],
    ['another sender', { sender: usdc }],
    ['another nonce', { nonce: '0x1' }],
    ['higher fees', { maxFeePerGas: '0x3b9aca01' }],
    ['more gas', { callGasLimit: '0x61a81' }],
    ['another account', { factoryData: concat([operation.factoryData, '0x00']) }],
  ])('attack: a stolen signature is refused for an operation with %s', async (_, change) => {
    await using frame = await start({})
    const { ask } = await frame.login()
    const fields = (await ask(paymasterBody(operation))) as PaymasterFields
    expect(await validate({ ...operation, ...change }, fields)).toMatchObject({ isSigned: false })
  })

  test('attack: the data of an estimate pays for nothing', async () => {
    await using frame = await start({})
    const { ask } = await frame.login()
    const stub = paymasterBody(operation, { method: 'pm_getPaymasterStubData' })
    const fields = (await ask(stub)) as PaymasterFields
    expect(await validate(operation, fields)).toMatchObject({ isSigned: false })
  })
})
