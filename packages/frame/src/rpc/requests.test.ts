import { toHex } from 'viem'
import { expect, it } from 'vitest'
import { english } from '../strings/language.ts'
import { evmRequests, type Examine } from './requests.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const data = (chainId: unknown) => ({
  domain: { name: 'Book', chainId },
  types: { Page: [{ name: 'number', type: 'uint256' }] },
  primaryType: 'Page',
  message: { number: 7 },
})

const examine = (
  method: string,
  params: unknown,
  options: Partial<Pick<Parameters<Examine>[0], 'rpc' | 'sign'>> = {},
) =>
  evmRequests[method]!({
    params,
    chain: { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 },
    from,
    origin: 'https://book.example',
    rpc: () => Promise.reject(new Error('no node')),
    bundler: () => Promise.reject(new Error('no bundler')),
    sign: () => Promise.resolve('signed'),
    smart: undefined,
    chosen: new Map(),
    language: english,
    ...options,
  } satisfies Parameters<Examine>[0])

it('typed data for the network of the request is examined', async () => {
  for (const chainId of [31_337, '31337', '0x7a69', undefined])
    await expect(examine('eth_signTypedData_v4', [from, data(chainId)])).resolves.toBeDefined()
})

it('attack: typed data for another network is refused', async () => {
  for (const chainId of [1, '1', '0x1', 'mainnet', null, 0])
    await expect(examine('eth_signTypedData_v4', [from, data(chainId)])).rejects.toThrow(
      'The data is for another network.',
    )
})

const typed = (more: object) => ({ ...data(31_337), ...more })
const page = (fields: { name: string; type: string }[], more = {}) =>
  typed({ types: { Page: fields, ...more } })
const doubled = Object.fromEntries(
  Array.from({ length: 14 }, (_, level) => [
    level === 0 ? 'Page' : `Level${level}`,
    ['a', 'b'].map((name) => ({ name, type: level === 13 ? 'uint256' : `Level${level + 1}` })),
  ]),
)
/** An object with two references to the next one, 13 times: 16,384 values. */
const shared = Array.from({ length: 13 }).reduce<object>((next) => ({ a: next, b: next }), {
  a: 1,
  b: 1,
})

it.each<[string, object, string]>([
  [
    'a field whose name contains other fields',
    page([{ name: 'permitted,address spender', type: 'uint256' }]),
    'types.Page.0.name must be a name',
  ],
  [
    'a repeated field',
    page([
      { name: 'number', type: 'uint256' },
      { name: 'number', type: 'uint256' },
    ]),
    'types.Page must not repeat a field',
  ],
  [
    'a type that contains fields',
    page([{ name: 'number', type: 'uint256 a,uint256' }]),
    'types.Page.0.type must be a type',
  ],
  [
    'a struct whose name contains a struct',
    page([{ name: 'number', type: 'uint256' }], { 'A(uint256 b)C': [] }),
    'must be a name',
  ],
  [
    'a primary type that contains fields',
    typed({ primaryType: 'Page(uint256 a)Page' }),
    'primaryType must be a name',
  ],
  [
    'a struct with the name of another type',
    page([{ name: 'number', type: 'uint256' }], { address: [{ name: 'a', type: 'bool' }] }),
    'types must be structs',
  ],
  [
    'an unknown type',
    page([{ name: 'number', type: 'constructor' }]),
    'message.number has the unknown type constructor',
  ],
  ['a missing value', typed({ message: {} }), 'message.number is missing'],
  [
    'an inherited value',
    page([{ name: 'toString', type: 'string' }]),
    'message.toString is missing',
  ],
  [
    'a value that is no array',
    page([{ name: 'number', type: 'uint256[2][]' }]),
    'message.number must be an array',
  ],
  [
    'structs that double at each level, without values',
    typed({ types: doubled, message: { a: {} } }),
    'message.a.a must be an object',
  ],
  [
    'structs that double at each level',
    typed({ types: doubled, message: shared }),
    'The typed data has more than 10000 values.',
  ],
  ['no types', typed({ types: undefined }), 'types'],
])('attack: typed data with %s is refused', async (_, given, message) => {
  await expect(examine('eth_signTypedData_v4', [from, given])).rejects.toThrow(message)
})

it('typed data with nested structs, arrays and names with underscores is examined', async () => {
  const types = {
    Page: [
      { name: '_lines', type: 'Line[][2]' },
      { name: '$mark', type: 'bytes32' },
    ],
    Line: [{ name: 'text_1', type: 'string' }],
  }
  const message = {
    _lines: [[{ text_1: 'a' }], [{ text_1: 'b' }]],
    $mark: toHex(1, { size: 32 }),
  }
  for (const given of [typed({ types, message }), JSON.stringify(typed({ types, message }))])
    await expect(examine('eth_signTypedData_v4', [from, given])).resolves.toBeDefined()
})

it('error: typed data that is no object, or no JSON, is refused', async () => {
  const examined = async (given: unknown) => examine('eth_signTypedData_v4', [from, given])
  await expect(examined(7)).rejects.toThrow('must have types, primaryType and message')
  await expect(examined('{')).rejects.toThrow('The typed data is not JSON.')
})

it.each([
  ['eth_signTypedData_v4', [other, data(31_337)]],
  ['personal_sign', ['0x68656c6c6f', other]],
])('attack: %s for another account is refused', async (method, params) => {
  await expect(examine(method, params)).rejects.toThrow('The request is for another account.')
})

it('two transactions that are approved at the same time have different nonces', async () => {
  const sent: string[] = []
  const counted: unknown[] = []
  const options = {
    // A node that knows a transaction as soon as it is sent.
    rpc: async (_chainId: string, method: string, params: unknown) => {
      if (method === 'eth_getTransactionCount') {
        counted.push(params)
        return toHex(sent.length)
      }
      if (method === 'eth_sendRawTransaction') return sent.push((params as string[])[0]!)
      return method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x1' } : '0x1'
    },
    sign: (request: Parameters<Parameters<Examine>[0]['sign']>[0]) =>
      Promise.resolve(request.kind === 'transaction' ? `nonce ${request.transaction.nonce}` : ''),
  }
  const call = { from, to: other, value: '0x1' }
  const requests = await Promise.all(
    [call, call].map((it) => examine('eth_sendTransaction', [it], options)),
  )
  await Promise.all(requests.map(({ prepared }) => prepared()))
  expect(sent).toEqual(['nonce 0', 'nonce 1'])
  expect(counted).toEqual([
    [from, 'pending'],
    [from, 'pending'],
  ])
})
