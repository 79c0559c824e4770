import { describe, expect, test } from 'vitest'
import { isPlain } from './methods.ts'
import { readPlainBatch } from './readPlainBatch.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = `"to":"${address}"`
const hash = `0x${'aB09'.repeat(16)}`

/** For each form of parameters, texts that are plain and texts that are not. */
const forms: Record<string, { table?: string; plain: string[]; other: string[] }> = {
  eth_blockNumber: { plain: [''], other: [' ', '"latest"', 'null'] },
  eth_getBalance: {
    plain: [`"${address}"`, `"${address}","latest"`, `"${address}","0x1aF"`],
    other: [
      '',
      address,
      `"${address}`,
      `"${address}0"`,
      `"${address.slice(1)}"`,
      `"${address.slice(0, -1)}"`,
      `"${address.slice(0, -1)}g"`,
      `"${address}",`,
      `"${address}","latest",`,
      `"${address}","latest",true`,
      `"${address}", "latest"`,
      `"${address}""latest"`,
      ` "${address}"`,
      `"latest"`,
      `"${address}",null`,
    ],
  },
  eth_getTransactionByHash: {
    plain: [`"${hash}"`],
    other: [`"${hash}0"`, `"${hash.slice(0, -1)}"`, `"${hash.slice(0, -1)}g"`, `"${address}"`],
  },
  web3_sha3: { plain: ['"0x"', '"0x0aBF"'], other: ['"0x0"', '"0x0g"', '"0"', '"0x00', '""'] },
  eth_getTransactionByBlockHashAndIndex: {
    plain: [`"${hash}","0x0"`, `"${hash}","0xaF9"`],
    other: [`"${hash}"`, `"${hash}","0x"`, `"${hash}","0xg"`, `"${hash}",1`, `"0x0","${hash}"`],
  },
  eth_getBlockReceipts: {
    plain: ['latest', 'earliest', 'pending', 'safe', 'finalized', '0x9aF'].map((it) => `"${it}"`),
    other: ['"0x"', '"LATEST"', '"latest', '"latestx"', '"newest"', '{}', `"0xg"`],
  },
  eth_getBlockByNumber: {
    plain: ['"latest"', '"0x1",false'],
    other: ['true', '"0x1",true', '"0x1",truefalse', '"0x1","true"', '"0x1",1', '"0x1",xtrue'],
  },
  eth_simulateV1: {
    plain: [
      '{}',
      '{"to":"0x1"}',
      '{"to":""}',
      `{"from":"${address}","to":"a_b.c:d-1"}`,
      '{"aZ":"1","A1":"2"},"latest"',
      '{"data":"to"}',
      '{"to":"1","too":"2"}',
      `{${'abcdefghij'
        .split('')
        .map((key) => `"${key}":"1"`)
        .join(',')}}`,
    ],
    other: [
      '{',
      '}',
      '{"to":"0x1","to":"0x2"}',
      '{"to":"0x1","data":"0x","to":"0x2"}',
      '{"data":"0x","to":"0x1","to":"0x2"}',
      '{"to":"0x1",}',
      '{,"to":"0x1"}',
      '{"to":"0x1""data":"0x"}',
      '{"to":"0x1","data":"0x"',
      '{"1":"0x1"}',
      '{"_a":"0x1"}',
      '{"":"0x1"}',
      '{"a-b":"0x1"}',
      '{"to":1}',
      '{"to":null}',
      '{"to":{}}',
      '{"to":"a b"}',
      '{"to":"é"}',
      '{"to" :"0x1"}',
      '{"to": "0x1"}',
      `{${'abcdefghijk'
        .split('')
        .map((key) => `"${key}":"1"`)
        .join(',')}}`,
      '{},"latest",{}',
      '"to"',
    ],
  },
  // Overrides, creations and keys that are not known have no plain form, because they change the price.
  eth_call: {
    plain: [`{${to}}`, `{${to}},"latest"`, `{"data":"0x",${to}}`, `{"from":"0x1",${to}},"0x1"`],
    other: [
      `{${to}},"latest",{}`,
      `{${to}},{}`,
      `{${to}},"latest",null`,
      '{}',
      '{"data":"0x"}',
      '{"data":"0x"},"latest"',
      '{"to":"0x"}',
      '{"to":""}',
      `{${to},"to":""}`,
      `{${to},"TO":""}`,
      `{"TO":"${address}"}`,
      `{${to}`,
    ],
  },
  // A list has no plain form, and neither has a count, so these methods have none.
  eth_getProof: { plain: [], other: [`"${address}"`, `"${address}",,"latest"`, `"${address}",[]`] },
  eth_feeHistory: { plain: [], other: ['"0x1","latest"', '1,"latest"', '"latest"', ''] },
  // The price depends on the parameters.
  eth_getLogs: { plain: [], other: ['{}', '{"fromBlock":"0x1"}', 'undefined'] },
  anvil_reset: { plain: [], other: ['', '{}'] },
  getBalance: {
    table: 'solana',
    plain: ['""', '"a.B:c-1_"', '"a",{"commitment":"confirmed"}'],
    other: ['', '1', '"a b"', '"a",{', '"a","b"', '"a",null', '"a'],
  },
  getRecentPrioritizationFees: { table: 'solana', plain: [''], other: ['[]', 'null', '{}'] },
  getTransaction: { table: 'solana', plain: ['"a"'], other: ['"a",{}', '"a",', ''] },
  eth_getUserOperationByHash: { table: 'bundler', plain: [`"${hash}"`], other: [''] },
  eth_getCode: { table: 'solana', plain: [], other: [`"${address}"`] },
  eth_gasPrice: { table: 'eip1559', plain: [], other: [''] },
}

describe('the parameters of', () => {
  test.each(
    Object.entries(forms).flatMap(([method, { table = 'eip155', plain, other }]) => [
      ...plain.map((params) => [method, params, table, true] as const),
      ...other.map((params) => [method, params, table, false] as const),
    ]),
  )('%s: %s (%s), plain: %s', (method, params, table, expected) => {
    expect(isPlain(table, method, params)).toBe(expected)
  })
})

const read = (text: string) =>
  readPlainBatch(text, { table: 'eip155', isKnown: (method) => method === 'net_version' })

const call = (id: number | string, method = 'eth_getBalance', params = `"${address}"`) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[${params}]}`
const batchOf = (...calls: string[]) => `[${calls.join(',')}]`
const callsTo = (count: number) => Array.from({ length: count }, (_, index) => call(index))

describe('a batch', () => {
  test.each([[[0, 1]], [[7, 8, 20]], [[1, 999_999_999_999_999]], [[10, 102, 2_000_000_000]]])(
    'with the ids %j keeps its text and its ids',
    (ids) => {
      const text = batchOf(...ids.map((id) => call(id)))
      expect(read(text)).toEqual({ body: text, ids, price: ids.length })
    },
  )

  test.each([
    ['eth_estimateGas', `{${to}}`, 3],
    ['eth_simulateV1', '{}', 51],
    ['eth_getBlockReceipts', '"latest"', 21],
    ['eth_call', `{${to}}`, 2],
    ['eth_blockNumber', '', 2],
  ])('attack: with a call of %s costs as many tokens as any other', (method, params, price) => {
    expect(read(batchOf(call(1, method, params), call(2)))?.price).toBe(price)
  })

  test.each([
    ['eth_call', '{"data":"0x00"}'],
    ['eth_estimateGas', '{"data":"0x00"}'],
    ['eth_createAccessList', `{${to},"TO":""}`],
    ['eth_getBlockByNumber', '"latest",true'],
    ['eth_getBlockByHash', `"${hash}",true`],
  ])('attack: with a call of %s whose price depends on %s is parsed', (method, params) => {
    expect(read(batchOf(call(1, method, params), call(2)))).toBe(undefined)
  })

  test('has at most 100 calls', () => {
    expect(read(batchOf(...callsTo(100)))?.ids).toHaveLength(100)
    expect(read(batchOf(...callsTo(101)))).toBe(undefined)
  })

  test('has at most 65,536 characters', () => {
    const ofLength = (length: number) => {
      const withData = (data: string) =>
        batchOf(call(1), call(2, 'eth_call', `{${to},"data":"${data}"}`))
      return withData('0'.repeat(length - withData('').length))
    }
    expect(ofLength(65_536)).toHaveLength(65_536)
    expect(read(ofLength(65_536))?.ids).toEqual([1, 2])
    expect(read(ofLength(65_537))).toBe(undefined)
  })

  test.each([
    ['equal ids', batchOf(call(1), call(1))],
    ['ids that decrease', batchOf(call(2), call(1))],
    ['one call', batchOf(call(1))],
    ['no call', '[]'],
    ['an id with a leading zero', batchOf(call(1), call('02'))],
    ['an id of 16 digits', batchOf(call(1), call('1000000000000000'))],
    ['a negative id', batchOf(call('-1'), call(2))],
    ['a fraction as id', batchOf(call(1), call('1.5'))],
    ['a text as id', batchOf(call(1), call('"a"'))],
    ['a space before it', ` ${batchOf(call(1), call(2))}`],
    ['no bracket before it', `x${batchOf(call(1), call(2)).slice(1)}`],
    ['a text after it', `${batchOf(call(1), call(2))} `],
    ['no bracket after it', batchOf(call(1), call(2)).slice(0, -1)],
    ['a comma after its last call', `${batchOf(call(1), call(2)).slice(0, -1)},`],
    ['a comma and a bracket after its last call', batchOf(call(1), call(2), '')],
    ['two brackets after its first call', `[${call(1)}],${call(2)}]`],
    ['another separator', `[${call(1)};${call(2)}]`],
    ['another field', batchOf(call(1), call(2).replace('}', ',"url":"http://a"}'))],
    ['another version', batchOf(call(1), call(2).replace('2.0', '2x0'))],
    ['a list as parameter', batchOf(call(1), call(2, 'eth_call', '[]'))],
    ['an escaped character', batchOf(call(1), call(2, 'eth_call', String.raw`{"a":"\u0030"}`))],
    ['a method that is no word', batchOf(call(1), call(2, 'eth-call', ''))],
    ['an empty method', batchOf(call(1), call(2, '', ''))],
    ['a method that sends', batchOf(call(1), call(2, 'eth_sendRawTransaction', '"0x00"'))],
    ['a method whose reply is known', batchOf(call(1), call(2, 'net_version', ''))],
    ['a method that is not allowed', batchOf(call(1), call(2, 'anvil_reset', ''))],
    ['a price that depends on parameters', batchOf(call(1), call(2, 'eth_getLogs', '{}'))],
    ['equal keys', batchOf(call(1), call(2, 'eth_call', '{"to":"0x1","to":"0x2"}'))],
    ['invalid parameters', batchOf(call(1), call(2, 'eth_getBalance', '"0x1"'))],
  ])('attack: with %s is not plain', (_, text) => {
    expect(read(text)).toBe(undefined)
  })

  test('is read the same way after one that is not plain', () => {
    const text = batchOf(call(1), call(2))
    expect(read(batchOf(...callsTo(5), call('x')))).toBe(undefined)
    expect(read(text)?.body).toBe(text)
  })
})
