import { describe, expect, test } from 'vitest'
import {
  chainsOfRecap,
  createRecap,
  decodeRecap,
  encodeRecap,
  findRecap,
  getAuthMethods,
  formatRecapStatement,
  mergeRecaps,
  methodsOf,
} from './recap.ts'

const opening = 'I further authorize the stated URI to perform the following actions on my behalf:'
const json = (value: unknown) => `urn:recap:${btoa(JSON.stringify(value))}`

test('a ReCap lists the methods in alphabetical order, in base64 without padding', () => {
  const urn = createRecap('eip155', ['personal_sign', 'eth_sign'])
  expect(atob(urn.slice('urn:recap:'.length))).toBe(
    '{"att":{"eip155":{"request/eth_sign":[{}],"request/personal_sign":[{}]}}}',
  )
  for (const urn of ['a', 'ab', 'abc'].map((name) => createRecap(name, ['m'])))
    expect(urn).toMatch(/^urn:recap:[A-Za-z0-9]+$/)
  expect(decodeRecap(urn)).toEqual({
    att: { eip155: { 'request/eth_sign': [{}], 'request/personal_sign': [{}] } },
  })
})

test('only the last resource can be a ReCap', () => {
  const urn = createRecap('eip155', ['personal_sign'])
  const recap = decodeRecap(urn)
  expect(findRecap(['https://a', urn])).toEqual(recap)
  expect(findRecap([urn, 'https://a'])).toBeUndefined()
  expect(findRecap([`https://${urn}`])).toBeUndefined()
  expect(findRecap([urn.replace('recap', 'other')])).toBeUndefined()
  expect(findRecap([])).toBeUndefined()
  expect(findRecap(undefined)).toBeUndefined()
})

test.each<[string, string]>([
  ['invalid base64', 'urn:recap:%'],
  ['invalid JSON', `urn:recap:${btoa('{')}`],
  ['null', json(null)],
  ['an array', json([])],
  ['no abilities', json({})],
  ['an array of abilities', json({ att: [{ a: [{}] }] })],
  ['no resource', json({ att: {} })],
  ['a resource without abilities', json({ att: { eip155: {} } })],
  ['a resource that is not an object', json({ att: { eip155: 'all' } })],
  ['a resource that is null', json({ att: { eip155: null } })],
  ['one valid resource and one without abilities', json({ att: { a: { m: [{}] }, b: {} } })],
  ['abilities without limits', json({ att: { eip155: { 'request/a': [] } } })],
  ['limits that are not an array', json({ att: { eip155: { 'request/a': {} } } })],
  ['a limit that is a string', json({ att: { eip155: { 'request/a': [{}, 'x'] } } })],
  ['a limit that is null', json({ att: { eip155: { 'request/a': [{}, null] } } })],
  ['a limit that is an array', json({ att: { eip155: { 'request/a': [[]] } } })],
  ['one valid ability and one without limits', json({ att: { a: { m: [{}], n: [] } } })],
])('error: %s is not a ReCap', (_what, urn) => {
  expect(decodeRecap(urn)).toBeUndefined()
  expect(findRecap([urn])).toBeUndefined()
})

test('merged ReCaps contain the sorted abilities of both, with the limits of the first', () => {
  const merged = mergeRecaps(
    { att: { solana: { 'request/b': [{ first: 1 }] }, eip155: { 'request/z': [{}] } } },
    { att: { solana: { 'request/b': [{ second: 1 }], 'request/a': [{}] }, bip122: { c: [{}] } } },
  )
  expect(JSON.stringify(merged)).toBe(
    '{"att":{"bip122":{"c":[{}]},"eip155":{"request/z":[{}]},"solana":{"request/a":[{}],"request/b":[{"first":1}]}}}',
  )
})

test('only methods on EVM chains are granted', () => {
  const att = { eip155: { 'request/a': [{}], odd: [{}] }, solana: { 'request/b': [{}] } }
  expect(methodsOf({ att })).toEqual(['a'])
  expect(methodsOf({ att: { solana: att.solana } })).toEqual([])
})

test('the chains are read from each ability’s first limit', () => {
  const chains = ['eip155:1', 'eip155:10']
  const att = {
    eip155: {
      'request/a': [{ chains }, { chains: ['eip155:5'] }],
      'request/b': [{ chains: ['eip155:10', 7] }],
      'request/c': [{}],
    },
    other: { 'request/a': [{ chains: ['eip155:137'] }] },
  }
  expect(chainsOfRecap({ att })).toEqual(['eip155:1', 'eip155:10', 'eip155:137'])
  expect(chainsOfRecap({ att: { eip155: { 'request/a': [] } } })).toEqual([])
})

describe('the statement', () => {
  test('numbers the kinds of each resource, and lists their actions in alphabetical order', () => {
    const att = {
      eip155: { 'request/b': [{}], 'push/d': [{}], 'request/a': [{}] },
      'https://app.example': { 'crud/read': [{}] },
    }
    expect(formatRecapStatement('Welcome.', { att })).toBe(
      `Welcome. ${opening} (1) 'request': 'a', 'b' for 'eip155'. (2) 'push': 'd' for 'eip155'. (3) 'crud': 'read' for 'https://app.example'.`,
    )
  })

  test.each([undefined, ''])(
    'is only the ReCap’s sentence if the request has no statement (%s)',
    (statement) => {
      expect(formatRecapStatement(statement, { att: { a: { 'request/m': [{}] } } })).toBe(
        `${opening} (1) 'request': 'm' for 'a'.`,
      )
    },
  )

  test('does not change if it already ends with the sentence', () => {
    const statement = `Welcome. ${opening} (1) 'request': 'm' for 'a'.`
    expect(formatRecapStatement(statement, { att: { a: { 'request/m': [{}] } } })).toBe(statement)
  })

  test.each([
    `${opening} (1) 'request': 'm' for 'a'.`,
    `Welcome. ${opening} (1) 'request': 'n' for 'a'. Enjoy.`,
  ])('attack: gets the sentence although it contains another one: %s', (statement) => {
    expect(formatRecapStatement(statement, { att: { a: { 'request/n': [{}] } } })).toBe(
      `${statement} ${opening} (1) 'request': 'n' for 'a'.`,
    )
  })

  test('lists an ability without a slash with an empty action', () => {
    expect(formatRecapStatement('', { att: { a: { odd: [{}] } } })).toBe(
      `${opening} (1) 'odd': '' for 'a'.`,
    )
  })
})

test('an encoded ReCap decodes to the same ReCap', () => {
  const recap = { att: { 'https://ü.example': { 'crud/read': [{ 'max?': '>>>' }] } } }
  expect(decodeRecap(encodeRecap(recap))).toEqual(recap)
})

test('the methods of a sign-in are those of its ReCap for EVM chains, each once', () => {
  const eip155 = {
    'request/personal_sign': [{}],
    'request/eth_sendTransaction': [{}],
    'other/personal_sign': [{}],
  }
  const recap = encodeRecap({ att: { eip155, 'https://app.example': { 'crud/read': [{}] } } })
  const resources = ['https://app.example', recap]
  expect(getAuthMethods({ resources })).toEqual(['personal_sign', 'eth_sendTransaction'])
})

test.each([[undefined], [[]], [[createRecap('eip155', ['personal_sign']), 'https://app.example']]])(
  'a sign-in without a ReCap as its last resource grants no methods: %j',
  (resources) => {
    expect(getAuthMethods({ resources })).toEqual([])
  },
)
