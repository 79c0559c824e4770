import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as gateway from './index.ts'

const address = `0x${'aB'.repeat(20)}` as const
const account = `eip155:1:${address}`
const parsed = { caipNetworkId: 'eip155:1', address }
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value)
const maxUint = 2n ** 256n

type Row = [name: string, schema: v.GenericSchema, value: object, optional: string[], read?: object]

/**
 * Each row has a query or body with all of its members, the names of the
 * optional ones, and the parsed value if it differs.
 */
const rows: Row[] = [
  [
    'BalanceQuery',
    gateway.BalanceQuery,
    { currency: 'eur', chainId: 'eip155:1', forceUpdate: 'a' },
    ['currency', 'chainId', 'forceUpdate'],
    { currency: 'EUR', chainId: 'eip155:1', forceUpdate: 'a' },
  ],
  [
    'HistoryQuery',
    gateway.HistoryQuery,
    { chainId: 'eip155:1', currency: 'EUR', cursor: 'a' },
    ['currency', 'cursor'],
  ],
  ['ChainQuery', gateway.ChainQuery, { chainId: 'solana:abc' }, []],
  [
    'AllowanceQuery',
    gateway.AllowanceQuery,
    { tokenAddress: account, userAddress: account },
    [],
    { tokenAddress: parsed, userAddress: parsed },
  ],
  [
    'ApproveQuery',
    gateway.ApproveQuery,
    { userAddress: account, from: account, to: account, amount: '7' },
    ['amount'],
    { userAddress: parsed, from: parsed, to: parsed, amount: 7n },
  ],
  [
    'QuoteQuery',
    gateway.QuoteQuery,
    { amount: '1', from: account, to: account },
    [],
    { amount: 1n, from: parsed, to: parsed },
  ],
  [
    'SwapBody',
    gateway.SwapBody,
    {
      projectId: 'p',
      amount: '1',
      from: account,
      to: account,
      userAddress: account,
      eip155: {
        slippage: 2,
        deadline: 5,
        permit: { deadline: 1, signature: `0x${'0f'.repeat(65)}` },
        withApproval: true,
        withReset: true,
      },
    },
    ['projectId', 'eip155'],
    {
      projectId: 'p',
      amount: 1n,
      from: parsed,
      to: parsed,
      userAddress: parsed,
      eip155: {
        slippage: 2,
        deadline: 5,
        permit: { deadline: 1, signature: `0x${'0f'.repeat(65)}` },
        withApproval: true,
        withReset: true,
      },
    },
  ],
  ['RevokeBody', gateway.RevokeBody, { projectId: 'p', pci: 'a', signature: 'b' }, ['projectId']],
  [
    'PriceBody',
    gateway.PriceBody,
    { projectId: 'p', currency: 'gbp', addresses: [account] },
    ['projectId', 'currency'],
    { projectId: 'p', currency: 'GBP', addresses: [parsed] },
  ],
  [
    'PriceHistoryQuery',
    gateway.PriceHistoryQuery,
    { address: account, currency: 'USD', period: 'week' },
    ['currency', 'period'],
    { address: parsed, currency: 'USD', period: 'week' },
  ],
  ['ProfileQuery', gateway.ProfileQuery, { apiVersion: '2' }, ['apiVersion']],
  ['SuggestionsQuery', gateway.SuggestionsQuery, { zone: 'a' }, ['zone']],
  [
    'RegistrationBody',
    gateway.RegistrationBody,
    { projectId: 'p', coin_type: 60, address, message: 'm', signature: '0x0f' },
    ['projectId'],
  ],
  [
    'RecordsBody',
    gateway.RecordsBody,
    { projectId: 'p', message: 'm', signature: '0x0f' },
    ['projectId'],
  ],
  [
    'RegistrationMessage',
    gateway.RegistrationMessage,
    { name: 'a.b', attributes: { bio: 'a' }, timestamp: 1 },
    ['attributes'],
  ],
  [
    'RecordsMessage',
    gateway.RecordsMessage,
    { name: 'a.b', attributes: {}, addresses: { 60: address }, timestamp: 1 },
    ['attributes', 'addresses'],
  ],
  [
    'NftsQuery',
    gateway.NftsQuery,
    { chainId: 'eip155:1', cursor: `1.${address.toLowerCase()}.2` },
    ['cursor'],
  ],
  ['NftImageQuery', gateway.NftImageQuery, { size: '256', v: '1' }, ['size', 'v']],
  [
    'NftPath',
    gateway.NftPath,
    { chain: 'eip155:1', asset: `erc721:${address}`, token: '7' },
    [],
    { chain: 'eip155:1', asset: `erc721:${address}`, token: 7n },
  ],
  [
    'OnrampQuoteBody',
    gateway.OnrampQuoteBody,
    {
      projectId: 'p',
      purchaseCurrency: { symbol: 'ETH' },
      paymentCurrency: { id: 'EUR' },
      amount: '250.00',
      chainId: 'eip155:1',
      paymentMethod: 'ach_bank_account',
      provider: 'sandbox',
    },
    ['projectId', 'chainId', 'paymentMethod', 'provider'],
  ],
  [
    'OnrampUrlBody',
    gateway.OnrampUrlBody,
    {
      projectId: 'p',
      destinationWallets: [{ address, blockchains: ['base'], assets: ['ETH'] }],
      defaultNetwork: 'base',
      presetFiatAmount: 20,
      quoteId: 'q',
      provider: 'sandbox',
      paymentCurrency: 'EUR',
      paymentMethod: 'card',
      chainId: 'eip155:1',
      returnUrl: 'https://page.example/',
    },
    [
      'projectId',
      'defaultNetwork',
      'presetFiatAmount',
      'quoteId',
      'provider',
      'paymentCurrency',
      'paymentMethod',
      'chainId',
      'returnUrl',
    ],
    {
      projectId: 'p',
      destinationWallets: [{ address, blockchains: ['base'], assets: ['ETH'] }],
      defaultNetwork: 'base',
      presetFiatAmount: '20',
      quoteId: 'q',
      provider: 'sandbox',
      paymentCurrency: 'EUR',
      paymentMethod: 'card',
      chainId: 'eip155:1',
      returnUrl: 'https://page.example/',
    },
  ],
]

test.each(rows)('%s is read with all of its members', (_name, schema, value, optional, read) => {
  expect(v.parse(schema, value)).toEqual(read ?? value)
  for (const member of Object.keys(value)) {
    const { [member as keyof typeof value]: _, ...rest } = value
    expect([member, v.is(schema, rest)]).toEqual([member, optional.includes(member)])
    const other = { ...value, [member]: Symbol('other') }
    expect([member, v.is(schema, other)]).toEqual([member, false])
  }
})

test('missing optional members have their defaults', () => {
  const defaultsOf = (schema: v.GenericSchema, change: object) => v.parse(schema, change)
  expect(defaultsOf(gateway.BalanceQuery, {})).toEqual({ currency: 'USD' })
  expect(defaultsOf(gateway.PriceBody, { addresses: [account] })).toMatchObject({ currency: 'USD' })
  expect(defaultsOf(gateway.PriceHistoryQuery, { address: account })).toMatchObject({
    currency: 'USD',
    period: 'day',
  })
  expect(defaultsOf(gateway.NftImageQuery, {})).toEqual({ size: '256' })
  expect(defaultsOf(gateway.RegistrationMessage, { name: 'a.b', timestamp: 1 })).toMatchObject({
    attributes: {},
  })
  expect(defaultsOf(gateway.OnrampUrlBody, { destinationWallets: [{ address }] })).toEqual({
    destinationWallets: [{ address }],
    paymentCurrency: 'USD',
    paymentMethod: 'card',
  })
  const swap = { amount: '1', from: account, to: account, userAddress: account }
  for (const change of [{}, { eip155: {} }])
    expect(defaultsOf(gateway.SwapBody, { ...swap, ...change })).toMatchObject({
      eip155: { slippage: 1, deadline: 20 },
    })
})

/**
 * The problems that the schema reports if the member at `path` of the row's
 * query or body has this value.
 */
function problemsOf(name: string, path: string, value: unknown) {
  const [, schema, body] = rows.find(([one]) => one === name)!
  const changed = structuredClone(body) as Record<string, unknown>
  const keys = path.split('.')
  const last = keys.pop()!
  const owner = keys.reduce((object, key) => object[key] as Record<string, unknown>, changed)
  owner[last] = value
  return v.safeParse(schema, changed).issues?.map(({ message }) => message)
}

describe('the value of a member', () => {
  const network = 'must be a CAIP-2 network id such as eip155:1'
  const evmAccount = 'must be a CAIP-10 account on an EVM chain'
  const units = 'must be a whole number in the smallest unit of the token'
  const hex = 'must be bytes in hexadecimal'
  const zone = 'must end with its zone, such as .reown.id'
  const cursor = 'must be the nextCursor of a page'
  const money = 'must be an amount with at most two decimals, such as 250.00'
  const text = (length: number) => 'a'.repeat(length)

  test.each<[name: string, path: string, right: unknown[], wrong: [unknown, string?][]]>([
    [
      'ChainQuery',
      'chainId',
      ['abc:1', 'a-1-b-c8:A_-z', `eip155:${text(32)}`],
      [
        ['ab:1', network],
        ['123456789:1', network],
        ['eip155:', network],
        [`eip155:${text(33)}`, network],
        ['EIP155:1', network],
        ['x eip155:1', network],
        ['eip155:1\n', network],
      ],
    ],
    [
      'QuoteQuery',
      'from',
      [`eip155:10:${address}`],
      [
        [address, evmAccount],
        [`solana:1:${address}`, evmAccount],
        ['eip155:1:0x1', evmAccount],
        [`eip155:1:${address}0`, evmAccount],
        [`eip155:1:x${address}`, evmAccount],
      ],
    ],
    [
      'QuoteQuery',
      'amount',
      ['1', `${maxUint - 1n}`],
      [
        ['0', 'must be above 0'],
        [`${maxUint}`, 'must be below 2^256'],
        ['1'.repeat(79), units],
        ['-1', units],
        ['1.5', units],
        ['1a', units],
        ['', units],
      ],
    ],
    ['BalanceQuery', 'currency', ['usd'], [[1, 'must be text']]],
    [
      'BalanceQuery',
      'forceUpdate',
      [text(8_000)],
      [[text(8_001), 'must be at most 8000 characters']],
    ],
    ['HistoryQuery', 'cursor', [text(2_000)], [[text(2_001), 'must be at most 2000 characters']]],
    [
      'SwapBody',
      'eip155.slippage',
      [0.01, 50, '0.5', undefined],
      [
        [0.009, 'must be from 0.01 to 50'],
        [50.1, 'must be from 0.01 to 50'],
        [true, 'must be a percentage'],
      ],
    ],
    [
      'SwapBody',
      'eip155.deadline',
      [1, 180, undefined],
      [
        [0, 'must be from 1 to 180'],
        [181, 'must be from 1 to 180'],
        [1.5, 'must be a whole number of minutes'],
        ['1', 'must be a number of minutes'],
      ],
    ],
    [
      'SwapBody',
      'eip155.permit.deadline',
      [1],
      [
        [0, 'must be above 0'],
        [1.5, 'must be a whole number of seconds'],
        ['1', 'must be a number of seconds'],
      ],
    ],
    [
      'SwapBody',
      'eip155.permit.signature',
      [`0x${'aF'.repeat(65)}`],
      [
        [`0x${'aF'.repeat(64)}`, 'must be a signature of 65 bytes'],
        [`0x${'aF'.repeat(65)}0`, 'must be a signature of 65 bytes'],
        [`x0x${'aF'.repeat(65)}`, 'must be a signature of 65 bytes'],
      ],
    ],
    ['SwapBody', 'eip155.permit', [undefined], [[{}]]],
    ['RevokeBody', 'pci', [''], [[1, 'must be text']]],
    ['RevokeBody', 'signature', [''], [[1, 'must be text']]],
    [
      'PriceBody',
      'addresses',
      [times(100, account)],
      [
        [[], 'must not be empty'],
        [times(101, account), 'must have at most 100 items'],
        ['a', 'must be a list of CAIP-10 token addresses'],
      ],
    ],
    [
      'PriceHistoryQuery',
      'period',
      ['day', 'week', 'month'],
      [['year', 'must be day, week or month']],
    ],
    [
      'RegistrationBody',
      'coin_type',
      [60, 2_147_483_658],
      [
        [61, 'must be the coin type of an EVM chain: 60, or 2147483648 plus the chain id'],
        ['60', 'must be a number'],
      ],
    ],
    [
      'RegistrationBody',
      'address',
      [address],
      [
        [`${address}0`, 'must be an EVM address of 20 bytes'],
        [`x${address}`, 'must be an EVM address of 20 bytes'],
      ],
    ],
    [
      'RecordsBody',
      'signature',
      ['0xaB', '0x0000'],
      [
        ['0x', hex],
        ['0x0', hex],
        ['x0x00', hex],
        ['0x00\n', hex],
        ['0xgg', hex],
        [1, 'must be text'],
      ],
    ],
    ['RecordsBody', 'message', [''], [[1, 'must be text']]],
    ['RegistrationBody', 'message', [''], [[1, 'must be text']]],
    [
      'RegistrationMessage',
      'name',
      ['mira.alt', '.'],
      [
        ['mira', zone],
        [1, 'must be text'],
      ],
    ],
    [
      'RegistrationMessage',
      'attributes',
      [{ bio: 'aZ09@:/._-?&=+ ' }, { bio: '' }, undefined],
      [
        [{ bio: 'a!' }, 'may contain letters, digits, spaces and @ : / . _ - ? & = +'],
        [{ bio: '!a' }, 'may contain letters, digits, spaces and @ : / . _ - ? & = +'],
        [{ bio: text(256) }, 'must be at most 255 characters'],
        [{ bio: 1 }, 'must be text'],
        [{ other: 1 }],
        ['a', 'must be an object whose only field is bio'],
      ],
    ],
    [
      'RegistrationMessage',
      'timestamp',
      [1],
      [
        [1.5, 'must be a whole number of seconds'],
        ['1', 'must be a number of seconds'],
      ],
    ],
    [
      'RecordsMessage',
      'addresses',
      [{}, { 60: address, 2147483658: address }],
      [
        [{ 61: address }, 'must be the coin type of an EVM chain'],
        [{ '060': address }, 'must be the coin type of an EVM chain'],
        [{ '60a': address }, 'must be the coin type of an EVM chain'],
        [{ a60: address }, 'must be the coin type of an EVM chain'],
        [{ 60: '0x1' }],
        ['a', 'must be an object of addresses by coin type'],
        [
          Object.fromEntries(times(21, address).map((one, index) => [2_147_483_649 + index, one])),
          'must have at most 20 addresses',
        ],
      ],
    ],
    [
      'NftsQuery',
      'chainId',
      ['eip155:1', 'eip155:10'],
      [
        ['x eip155:1', network],
        ['eip155:1\n', network],
        ['eip155:', network],
        ['ab:1', network],
      ],
    ],
    [
      'NftsQuery',
      'cursor',
      [`${'1'.repeat(15)}.0x${'0'.repeat(40)}.${'1'.repeat(78)}`],
      [
        [`${'1'.repeat(16)}.0x${'0'.repeat(40)}.1`, cursor],
        [`1.0x${'0'.repeat(39)}.1`, cursor],
        [`1.0x${'A'.repeat(40)}.1`, cursor],
        [`1.0x${'0'.repeat(40)}.`, cursor],
        [`1.0x${'0'.repeat(40)}.${'1'.repeat(79)}`, cursor],
        [`x.0x${'0'.repeat(40)}.1`, cursor],
        [` 1.0x${'0'.repeat(40)}.1`, cursor],
        [`1.0x${'0'.repeat(40)}.1x`, cursor],
        [`1x0x${'0'.repeat(40)}.1`, cursor],
        [`1.0x${'0'.repeat(40)}x1`, cursor],
      ],
    ],
    [
      'NftImageQuery',
      'size',
      ['64', '512', undefined],
      [
        ['1', 'must be one of 64, 128, 256, 512'],
        [256, 'must be one of 64, 128, 256, 512'],
      ],
    ],
    [
      'NftPath',
      'asset',
      [`erc1155:${address}`, `ERC721:${address}`],
      [
        `erc20:${address}`,
        `erc721:${address}0`,
        `xerc721:${address}`,
        address,
        `erc721:0x${'g'.repeat(40)}`,
      ].map((value) => [value, 'must be erc721 or erc1155 with an address of 20 bytes']),
    ],
    [
      'NftPath',
      'token',
      ['0', `${maxUint - 1n}`],
      [
        [`${maxUint}`, 'must be below 2^256'],
        ['1'.repeat(79), 'must be a whole number'],
        ['-1', 'must be a whole number'],
        ['1.5', 'must be a whole number'],
        ['', 'must be a whole number'],
      ],
    ],
    [
      'OnrampQuoteBody',
      'amount',
      ['1', '999999999.99', '0.5', 250],
      [
        ['1.', money],
        ['.5', money],
        ['1.005', money],
        ['1234567890', money],
        ['-1', money],
        ['1e3', money],
        ['1\n', money],
        [null, 'must be an amount'],
      ],
    ],
    [
      'OnrampQuoteBody',
      'paymentCurrency.id',
      ['EUR'],
      ['eur', 'EURO', 'EU', ' EUR', ''].map((value) => [value, 'must be an ISO 4217 code']),
    ],
    [
      'OnrampQuoteBody',
      'purchaseCurrency.symbol',
      [text(100)],
      [[text(101)], [''], [1, 'must be text']],
    ],
    ['OnrampQuoteBody', 'purchaseCurrency', [], [[{}]]],
    ['OnrampQuoteBody', 'paymentCurrency', [], [[{}]]],
    [
      'OnrampQuoteBody',
      'paymentMethod',
      ['card', 'ach_bank_account', undefined],
      [['cash', 'must be card or ach_bank_account']],
    ],
    [
      'OnrampQuoteBody',
      'provider',
      [text(20)],
      [
        [text(21), 'must be the id of a provider'],
        ['', 'must be the id of a provider'],
        ['Aa', 'must be the id of a provider'],
        ['aA', 'must be the id of a provider'],
      ],
    ],
    [
      'OnrampQuoteBody',
      'chainId',
      ['eip155:1', 'eip155:10'],
      [
        ['ab:1', network],
        ['x eip155:1', network],
        ['eip155:1\n', network],
        ['eip155:', network],
      ],
    ],
    [
      'OnrampUrlBody',
      'destinationWallets',
      [times(20, { address: 'a' })],
      [
        [[], 'must not be empty'],
        [times(21, { address: 'a' }), 'must have at most 20 items'],
        ['a', 'must be a list of wallets'],
        [[{}]],
        [[{ address: '' }]],
        [[{ address: text(101) }]],
        [[{ address: 'a', blockchains: times(101, 'a') }]],
        [[{ address: 'a', assets: times(101, 'a') }]],
      ],
    ],
    ['OnrampUrlBody', 'quoteId', [text(2_000)], [[text(2_001)]]],
    [
      'OnrampUrlBody',
      'returnUrl',
      ['https://page.example/a?b'],
      [['page', 'must be a URL'], [`https://page.example/${text(2_000)}`]],
    ],
  ])('%s: %s', (name, path, right, wrong) => {
    for (const value of right)
      expect([value, problemsOf(name, path, value)]).toEqual([value, undefined])
    for (const [value, message] of wrong) {
      const problems = problemsOf(name, path, value) ?? []
      expect([value, problems.length > 0]).toEqual([value, true])
      expect(problems).toContain(message ?? problems[0])
    }
  })

  test('a signed message has no other members', () => {
    for (const [name, schema, message] of [
      [
        'RegistrationMessage',
        gateway.RegistrationMessage,
        'must be an object with name, attributes and timestamp',
      ],
      [
        'RecordsMessage',
        gateway.RecordsMessage,
        'must be an object with name, attributes, addresses and timestamp',
      ],
    ] as const) {
      expect(problemsOf(name, 'other', 1)).toBeDefined()
      expect(v.safeParse(schema, 'text').issues?.[0].message).toBe(message)
    }
  })
})

test('the native currency and the size of a body are those of the contract', () => {
  expect(gateway.nativeTokenAddress).toBe(`0x${'e'.repeat(40)}`)
  expect(gateway.maxMoneyBodyBytes).toBe(32_768)
})
