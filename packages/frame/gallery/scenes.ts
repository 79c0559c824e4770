import {
  concat,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  stringToHex,
  type Address,
  type Hex,
  type TypedDataDefinition,
} from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describeMessage } from '../src/approval/describeMessage.ts'
import { describeOperation } from '../src/approval/describeOperation.ts'
import { describeTransaction } from '../src/approval/describeTransaction.ts'
import { describeTypedData } from '../src/approval/describeTypedData.ts'
import type { Limit, Statement } from '../src/approval/Statement.ts'
import { en } from '../src/strings/en.ts'
import { translate } from '../src/strings/translate.ts'
import { language } from './language.ts'
import { sellThroughOneInch, sellThroughZeroEx, swapContracts } from './swapCalls.ts'
import { describeMessage as describeSolanaMessage } from '../src/solana/describeMessage.ts'
import { short } from '../src/approval/text.ts'
import { sol } from '../src/solana/readInstruction.ts'
import {
  describeAll,
  describeTransaction as describeSolana,
} from '../src/solana/describeTransaction.ts'

const t = translate(en, language)

/** The page that asks in every scene. */
export const origin = 'https://book.example'
/** The origin of the frame. */
export const site = 'https://vault.book.example'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const wrappedEther = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const routerItself = '0x0000000000000000000000000000000000000002'
const chain = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }
const token = () => Promise.resolve({ symbol: 'FLD', decimals: 6 })

function transaction(
  data: Hex,
  more: Partial<Parameters<typeof describeTransaction>[0]> = {},
): Promise<Statement> {
  return describeTransaction({
    language,
    call: { to: contract, value: 0n, data },
    chain,
    from,
    fee: parseEther('0.0021'),
    missing: 0n,
    token,
    isSettler: () => Promise.resolve(false),
    failure: undefined,
    wasTried: true,
    changes: undefined,
    ...more,
  })
}

/** The first operation of a smart account. */
function operation(
  more: Partial<Parameters<typeof describeOperation>[0]> = {},
): Promise<Statement> {
  return describeOperation({
    language,
    calls: [{ to: other, value: parseEther('0.2'), data: '0x' }],
    chain,
    from,
    fee: parseEther('0.00041'),
    isSponsored: true,
    isFirst: true,
    missing: 0n,
    token,
    isSettler: () => Promise.resolve(false),
    changes: undefined,
    ...more,
  })
}

function allowance(amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [other, amount] })
}

/** A network with Uniswap's router. */
const swapChain = { ...chain, uniswap: { router: other, wrapped: wrappedEther } } as const

const routerAbi = parseAbi([
  'struct Swap { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(Swap swap)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient)',
  'function multicall(uint256 deadline, bytes[] calls)',
])

/** Swaps 0.2 ETH. */
function swapOf(
  recipient: Address,
  amountOutMinimum: bigint,
  more: Partial<Parameters<typeof describeTransaction>[0]> = {},
): Promise<Statement> {
  const value = parseEther('0.2')
  const path = concat([wrappedEther, '0x000bb8', contract])
  const swap = { path, recipient, amountIn: value, amountOutMinimum }
  const data = encodeFunctionData({ abi: routerAbi, functionName: 'exactInput', args: [swap] })
  return transaction(data, {
    chain: swapChain,
    call: { to: other, value, data },
    changes: [
      { amount: -value },
      ...(recipient === from ? [{ contract, amount: 716_420_000n } as const] : []),
    ],
    ...more,
  })
}

/** Swaps an amount of a token for ether. */
function payWith(amountIn: bigint): Hex {
  const minimum = parseEther('0.198')
  const path = concat([contract, '0x000bb8', wrappedEther])
  const swap = { path, recipient: routerItself, amountIn, amountOutMinimum: minimum } as const
  const calls = [
    encodeFunctionData({ abi: routerAbi, functionName: 'exactInput', args: [swap] }),
    encodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9', args: [minimum, from] }),
  ]
  return encodeFunctionData({ abi: routerAbi, functionName: 'multicall', args: [0n, calls] })
}

/** Sells a token for ether through 0x or 1inch. */
function sale(by: keyof typeof swapContracts): Promise<Statement> {
  const { zeroEx, oneInch } = swapContracts
  const minimum = parseEther('0.198')
  const sold = { token: contract, amount: 716_420_000n, minimum, to: from } as const
  const call =
    by === 'zeroEx'
      ? { to: zeroEx.allowanceHolder, data: sellThroughZeroEx(sold) }
      : { to: oneInch.router, data: sellThroughOneInch(sold) }
  return transaction(call.data, {
    chain: { ...chain, ...swapContracts },
    isSettler: () => Promise.resolve(true),
    call: { ...call, value: 0n },
    changes: [{ contract, amount: -716_420_000n }, { amount: parseEther('0.199') }],
  })
}

/** The end of allowances: July 30, 2026. */
const end = 1_785_429_440

/** A call that gives an allowance through Permit2. */
function permit2Allowance(
  amount: bigint,
  expiration: number,
  more: { limit?: Limit } = {},
): Promise<Statement> {
  const data = encodeFunctionData({
    abi: parseAbi([
      'function approve(address token, address spender, uint160 amount, uint48 expiration)',
    ]),
    args: [contract, other, amount, expiration],
  })
  return transaction(data, {
    call: { to: '0x000000000022D473030F116dDEE9F6B43aC78BA3', value: 0n, data },
    ...more,
  })
}

const permitDetails = (expiration: number) => ({
  token: contract,
  amount: 716_420_000n,
  expiration,
  nonce: 0,
})

/** @param options.types - the fields of each type, with name and type. */
function typedData(
  primaryType: string,
  { types, message }: { types: Record<string, string[]>; message: Record<string, unknown> },
): Promise<Statement> {
  const toField = (field: string) => {
    const [name, type] = field.split(' ')
    return { name, type }
  }
  return describeTypedData({
    data: {
      domain: { name: 'Fold Dollar', chainId: 31337, verifyingContract: contract },
      types: Object.fromEntries(
        Object.entries(types).map(([name, fields]) => [name, fields.map(toField)]),
      ),
      primaryType,
      message,
    } as unknown as TypedDataDefinition,
    chain,
    token,
    isSmart: false,
    language,
  })
}

const limitOf = (amount: bigint | undefined): Limit => ({
  call: 0,
  symbol: 'FLD',
  decimals: 6,
  amount,
  needed: undefined,
  balance: 2_904_110_000n,
})

function signIn(domain: string): Statement {
  const message = createSiweMessage({
    address: from,
    chainId: 1,
    domain,
    nonce: 'k29sDk30fkgMw8Zq',
    statement: 'I join the reading circle of the Book of Ethereum and accept its rules, version 4.',
    uri: `https://${domain}/in`,
    version: '1',
    issuedAt: new Date('2026-01-01T00:00:00Z'),
  })
  return describeMessage({ message: stringToHex(message), origin, language })
}

const solana = { id: 'solana:local', name: 'Solana DRYVatmB', symbol: 'SOL', decimals: 9 }
const account = '9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde'
const person = 'F4ghBzHFNgJxV4wEQDchU5i7n4XWWMBSaq7CuswGiVsr'
const mint = 'FsWXXkYwJCQeo6eJuHnY5ZwUEtj274S8s2TC2cr3tyuV'

type SolanaOptions = Parameters<typeof describeSolana>[0]

function ofSolana(
  readings: SolanaOptions['readings'],
  changes: Partial<NonNullable<SolanaOptions['simulation']['changes']>> = {},
  more: Partial<SolanaOptions> = {},
): Statement {
  return describeSolana({
    language,
    readings,
    chain: solana,
    owner: account,
    signers: [account],
    fee: 5_000n,
    simulation: {
      changes: {
        lamports: 0n,
        tokens: [],
        isReassigned: false,
        powers: [],
        ...changes,
      },
      failure: undefined,
      wasTried: true,
    },
    bytes: new Uint8Array(300),
    ...more,
  })
}

const solSent: SolanaOptions['readings'][number] = {
  sentence: t('approval.send', { amount: sol(1_500_000_000n, language), to: short(person) }),
  details: [[t('approval.to'), person]],
}
const tokenSent: SolanaOptions['readings'][number] = {
  sentence: t('approval.send', {
    amount: t('solana.tokenAmount', { amount: '40', mint: short(mint) }),
    to: short(person),
  }),
  details: [
    [t('approval.to'), person],
    [t('solana.mint'), mint],
    [t('solana.memo'), 'Rent for March'],
  ],
}

/** One scene for each kind of approval. */
export const scenes: Readonly<Record<string, () => Statement | undefined | Promise<Statement>>> = {
  loading: () => undefined,
  message: () =>
    describeMessage({
      message: stringToHex(
        'I join the reading circle of the Book of Ethereum and accept its rules, version 4.',
      ),
      origin,
      language,
    }),
  longMessage: () =>
    describeMessage({
      message: stringToHex(
        Array.from({ length: 60 }, (_, line) => `${line + 1}. A line of the rules.`).join('\n'),
      ),
      origin,
      language,
    }),
  bytes: () => describeMessage({ message: `0x${'ff00'.repeat(48)}`, origin, language }),
  signIn: () => signIn('book.example'),
  otherSignIn: () => signIn('atlas.example'),
  send: () => transaction('0x', { call: { to: other, value: parseEther('2.481'), data: '0x' } }),
  sendToken: () =>
    transaction(
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, 40_000_000n] }),
    ),
  swap: () =>
    transaction(`0x3593564c${'00'.repeat(448)}`, {
      call: { to: contract, value: parseEther('0.2'), data: `0x3593564c${'00'.repeat(448)}` },
      changes: [
        { amount: -parseEther('0.2') },
        { contract: other, amount: 716_420_000n },
        { contract, id: 13n, amount: 1n },
      ],
    }),
  allowance: () => transaction(allowance(716_420_000n)),
  uniswap: () => swapOf(from, 709_250_000n),
  uniswapBare: () => swapOf(from, 709_250_000n, { changes: undefined, wasTried: false }),
  uniswapElsewhere: () => swapOf(other, 0n),
  zeroEx: () => sale('zeroEx'),
  oneInch: () => sale('oneInch'),
  unlimited: () => transaction(allowance(maxUint256), { limit: limitOf(undefined) }),
  limited: () => transaction(allowance(25_000_000n), { limit: limitOf(25_000_000n) }),
  batchLimited: () =>
    operation({
      isFirst: false,
      chain: swapChain,
      calls: [
        { to: contract, value: 0n, data: allowance(716_420_000n) },
        { to: other, value: 0n, data: payWith(716_420_000n) },
      ],
      limits: new Map([[0, { ...limitOf(716_420_000n), needed: 716_420_000n }]]),
      changes: [{ contract, amount: -716_420_000n }, { amount: parseEther('0.199') }],
    }),
  collection: () =>
    transaction(
      encodeFunctionData({
        abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
        args: [other, true],
      }),
    ),
  unknown: () => transaction(`0x6d8800aa${'00'.repeat(448)}`),
  stillUnknown: async () => (await transaction(`0x6d8800aa${'00'.repeat(448)}`)).second!,
  short: () =>
    transaction('0x', {
      call: { to: other, value: parseEther('2.481'), data: '0x' },
      missing: parseEther('0.0008'),
    }),
  failing: () =>
    transaction('0x', {
      call: { to: other, value: parseEther('0.2'), data: '0x' },
      failure: 'the price moved too far',
    }),
  notTried: () =>
    transaction('0x', {
      call: { to: other, value: parseEther('0.2'), data: '0x' },
      wasTried: false,
    }),
  sponsored: () => operation(),
  selfPaid: () => operation({ isSponsored: false, isFirst: false }),
  batch: () =>
    operation({
      isFirst: false,
      calls: [
        { to: contract, value: 0n, data: allowance(40_000_000n) },
        { to: contract, value: 0n, data: `0x6d8800aa${'00'.repeat(64)}` },
        { to: other, value: parseEther('0.2'), data: '0x' },
      ],
    }),
  batchDanger: () =>
    operation({
      isFirst: false,
      isSponsored: false,
      calls: [
        { to: other, value: parseEther('0.2'), data: '0x' },
        { to: contract, value: 0n, data: allowance(maxUint256) },
      ],
    }),
  permit: () =>
    typedData('Permit', {
      types: { Permit: ['spender address', 'value uint256', 'deadline uint256'] },
      message: { spender: other, value: 716_420_000n, deadline: end },
    }),
  permit2: () => permit2Allowance(716_420_000n, end),
  permit2Unlimited: () =>
    permit2Allowance(2n ** 160n - 1n, 2 ** 48 - 1, { limit: limitOf(undefined) }),
  permitSingle: () =>
    typedData('PermitSingle', {
      types: {
        PermitSingle: ['details PermitDetails', 'spender address', 'sigDeadline uint256'],
        PermitDetails: ['token address', 'amount uint160', 'expiration uint48', 'nonce uint48'],
      },
      message: { details: permitDetails(end), spender: other, sigDeadline: end - 2_592_000 },
    }),
  permitBatch: () =>
    typedData('PermitBatch', {
      types: {
        PermitBatch: ['details PermitDetails[]', 'spender address', 'sigDeadline uint256'],
        PermitDetails: ['token address', 'amount uint160', 'expiration uint48', 'nonce uint48'],
      },
      message: {
        details: [permitDetails(end), permitDetails(2 ** 48 - 1)],
        spender: other,
        sigDeadline: end - 2_592_000,
      },
    }),
  solana: () => ofSolana([solSent], { lamports: -1_500_000_000n }),
  solanaToken: () =>
    ofSolana([tokenSent], {
      lamports: -2_039_280n,
      tokens: [{ mint, atomic: -40_000_000n, decimals: 6 }],
    }),
  solanaSeveral: () =>
    ofSolana(
      [solSent, tokenSent, { isDurable: true, details: [[t('solana.nonceAccount'), mint]] }],
      { lamports: -1_500_000_000n, tokens: [{ mint, atomic: -40_000_000n, decimals: 6 }] },
      { signers: [person, account] },
    ),
  solanaUnknown: () =>
    ofSolana(
      [
        {
          sentence: t('solana.unknown'),
          isUnknown: true,
          details: [[t('solana.program'), mint]],
        },
      ],
      {
        tokens: [{ mint, atomic: 12_500_000n, decimals: 6 }],
        lamports: -500_000_000n,
      },
    ),
  solanaFee: () => ofSolana([solSent], { lamports: -1_500_000_000n }, { fee: 1_000_005_000n }),
  solanaReassigned: () => ofSolana([solSent], { isReassigned: true }),
  solanaAll: () =>
    describeAll(
      [
        ofSolana([solSent], { lamports: -1_500_000_000n }),
        ofSolana([tokenSent], { tokens: [{ mint, atomic: -40_000_000n, decimals: 6 }] }),
      ],
      language,
    ),
  solanaHidden: () =>
    describeSolanaMessage({ bytes: new Uint8Array([0x80, 1, 0, 1]), origin, language }),
}
