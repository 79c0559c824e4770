import { base32nopad, base58, base64, base64url, bech32, hex } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removePersonal, withoutPersonal } from './withoutPersonal.ts'

test.each([
  ['an EVM address', 'for 0x70997970C51812dc3A010C7d01b50e0d17dc79C8.', 'for [removed].'],
  [
    'a CAIP-10 account',
    'eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'eip155:1:[removed]',
  ],
  ['a Solana address', 'to 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj', 'to [removed]'],
  ['a Bitcoin address', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', '[removed]'],
  ['the shortest Bitcoin address', 'bc1qw508d6qejxtdg4y5r3z', '[removed]'],
  ['the shortest email address', 'a@b.c', '[removed]'],
  ['an email address', 'mail=some.one+x@mail.example.org', 'mail=[removed]'],
  ['an encoded email address', '?m=a%40b.example', '?m=[removed]'],
  [
    'a topic',
    'topic 7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9',
    'topic [removed]',
  ],
  ['a pairing URI', 'wc:7f6e504b@2?relay-protocol=irn&symKey=587d', '[removed]'],
  ['a token', 'Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'Bearer [removed]'],
  ['a token in a list', 'a,x-eyJhbGci.eyJzdWIi.c2ln,b', 'a,[removed],b'],
  ['an encoded pairing URI', 'uri=wc%3A7f6e504b%402%3FsymKey%3D587d', 'uri=[removed]'],
  ['a word', 'MODAL_OPEN', 'MODAL_OPEN'],
  ['a network', 'eip155:11155111', 'eip155:11155111'],
  ['a wallet id', 'io.metamask', 'io.metamask'],
  ['a version', 'html-wagmi-1.7.15-canary.2', 'html-wagmi-1.7.15-canary.2'],
  ['a UUID', '5d5a1c2e-0000-4000-8000-000000000001', '5d5a1c2e-0000-4000-8000-000000000001'],
  [
    'a UUID without hyphens',
    '5d5a1c2e93f34c8e8acd1234567f5911',
    '5d5a1c2e93f34c8e8acd1234567f5911',
  ],
  ['a route', '/wallet/[address]/collect-token', '/wallet/[address]/collect-token'],
  [
    'the name of an error',
    'WaitForTransactionReceiptTimeoutError',
    'WaitForTransactionReceiptTimeoutError',
  ],
  ['a constant', 'SWITCH_NETWORK_TO_UNSUPPORTED_CHAIN', 'SWITCH_NETWORK_TO_UNSUPPORTED_CHAIN'],
  [
    'a package',
    'node_modules/@gatefold/kit/dist/core.js:1:2345',
    'node_modules/@gatefold/kit/dist/core.js:1:2345',
  ],
  ['escapes', '/a%2Fb%252F%00%zz%ff%', '/a%2Fb%252F%00%zz%ff%'],
])('%s: %j becomes %j', (_name, text, expected) => {
  expect(withoutPersonal(text)).toBe(expected)
})

const evm = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test.each([
  ['after an escape', `/account/eip155%3A1%3A${evm}?`, '/account/eip155:1:[removed]?'],
  ['after a slash that is encoded twice', `a%252F${evm}%252Fb`, 'a/[removed]/b'],
  ['with escaped letters', `a%20${evm.replace('C', '%43')}`, 'a [removed]'],
  ['after invalid escapes', `%zz%ff%c3%3A${evm}%`, '%zz%ff%c3:[removed]%'],
  ['after NUL', `%00%3A${evm}`, '%00:[removed]'],
])('attack: an address is removed %s', (_name, text, expected) => {
  expect(withoutPersonal(text)).toBe(expected)
})

test.each([
  ['after letters', `acct0x${evm.slice(2)}`, '[removed]'],
  ['after letters and an underscore', `acct_${evm}_1`, 'acct_[removed]_1'],
  ['without 0x', evm.slice(2), '[removed]'],
])('attack: an address in hex is removed %s', (_name, text, expected) => {
  expect(withoutPersonal(text)).toBe(expected)
})

test.each([
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['the shortest base58', '1111111111111111111114oLvT2'],
  ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['Polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ['Cardano', 'addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w'],
  ['Cosmos', 'cosmos1vladvrh7p7rcygl46tjxpj8v3z3p3y7s0rqqjc'],
  ['Stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['TON', 'EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG'],
  ['TON, with a hyphen', 'UQD2NmD_lH5f5u1Kj3KfGyTvhZSX0Eg6qp2a5IQUKXxOG-_5'],
])('attack: an address of %s is removed', (_name, address) => {
  expect(withoutPersonal(`/of/${address}/x`)).toBe('/of/[removed]/x')
})

test.each([
  ['jürgen@müller.de', '[removed]'],
  ['/j%C3%BCrgen%40m%C3%BCller.de/', '/[removed]/'],
  ['mail to ju\u0308rgen@xn--mller-kva.de', 'mail to [removed]'],
  ['<почта@пример.рф>', '<[removed]>'],
  ['用户@例え。jp', '[removed]'],
  ["o'connor~x@mail.example", '[removed]'],
])('attack: the email address is removed from %j', (text, expected) => {
  expect(withoutPersonal(text)).toBe(expected)
})

const bytes = (minLength: number, maxLength = minLength) => fc.uint8Array({ minLength, maxLength })
const prefixes = [
  'addr',
  'addr_test',
  'bc',
  'cosmos',
  'cosmosvaloper',
  'ltc',
  'osmo',
  'stake',
] as const
/** Text of addresses of each form, with random bytes. */
const addresses = {
  hex: bytes(20, 57).map((value) => hex.encode(value)),
  // Tron. XRP has the same alphabet in another order.
  'base58 of 21 bytes and a checksum': bytes(24).map((value) =>
    base58.encode(Uint8Array.of(0x41, ...value)),
  ),
  'base58 of a public key': bytes(32).map((value) => base58.encode(value)),
  'base58 of SS58': bytes(35, 36).map((value) => base58.encode(value)),
  bech32: fc
    .tuple(fc.constantFrom(...prefixes), bytes(20, 57))
    .map(([prefix, value]) => bech32.encode(prefix, bech32.toWords(value), false)),
  'bech32 in capitals': bytes(20).map((value) => bech32.encodeFromBytes('bc', value).toUpperCase()),
  'base32 of a public key and a checksum': bytes(35).map((value) => base32nopad.encode(value)),
  TON: fc
    .tuple(fc.constantFrom(0x11, 0x51, 0x91, 0xd1), fc.constantFrom(0, 0xff), bytes(34))
    .map(([flags, workchain, value]) => Uint8Array.of(flags, workchain, ...value))
    .chain((value) => fc.constantFrom(base64url.encode(value), base64.encode(value))),
}
const before = fc.constantFrom(
  '',
  '/',
  'eip155:1:',
  '?a=',
  'acct_',
  '-',
  ' "',
  'für ',
  '\n',
  '%zz/',
)
const after = fc.constantFrom('', '/x', ':', '&a=', '_1', '-', '" ', ' für', '\n', '%', '%zz', '.')

/** Whether a text contains 12 characters in a row of a secret. */
function overlaps(text: string, secret: string): boolean {
  const parts = Array.from({ length: secret.length - 11 }, (_, start) =>
    secret.slice(start, start + 12),
  )
  return parts.some((part) => text.includes(part))
}

test.each(Object.entries(addresses))(
  'attack: an address in %s is removed, even if it is encoded up to three times',
  (_name, address) => {
    fc.assert(
      fc.property(before, address, after, fc.nat(3), (start, secret, end, levels) => {
        let text = `${start}${secret}${end}`
        for (let level = 0; level < levels; level += 1) text = encodeURIComponent(text)
        const stored = removePersonal(text)
        expect(stored).toContain('[removed]')
        expect(overlaps(stored, secret)).toBe(false)
      }),
    )
  },
)

test('attack: property names, nested properties and lists are searched as values are', () => {
  expect(
    withoutPersonal({
      'some.one@mail.example': 1,
      a: { [`eip155%3A1%3A${evm}`]: [[`to ${evm}`]] },
    }),
  ).toEqual({ '[removed]': 1, a: { 'eip155:1:[removed]': [['to [removed]']] } })
})

test('attack: a long string is cut off between words, so that no part of an address remains', () => {
  for (let start = 2_000; start < 2_060; start += 1) {
    for (const [secret, part] of [
      [evm, '0x7'],
      ['jürgen@müller.de', 'jü'],
    ] as const) {
      const text = removePersonal(`${'word '.repeat(500).slice(0, start)} ${secret} end`)
      expect(text.length).toBeLessThanOrEqual(2_048)
      expect(text).not.toContain(part)
    }
  }
  expect(withoutPersonal('a'.repeat(9_000))).toBe('')
})

const nearMatches = {
  'an email address': 'a'.repeat(63_000),
  'encoded email addresses': 'a%40'.repeat(16_000),
  'an email address with dots': `a@${'b.'.repeat(31_000)}`,
  tokens: 'eyJ-'.repeat(16_000),
  'tokens with dots': 'eyJa.'.repeat(12_600),
  'a hash': `0x${'0'.repeat(63_000)}g`,
  'pairing URIs': 'wc:'.repeat(21_000),
  'a word boundary': '@-'.repeat(31_500),
  'an email address with Unicode letters': 'ü@'.repeat(31_500),
  'names in camel case': 'Aa'.repeat(31_500),
  'a name in camel case': `${'Aa'.repeat(990)}1z${' '.repeat(20)}`.repeat(31),
  'TON addresses': 'EQ-'.repeat(21_000),
  escapes: '%41a'.repeat(15_750),
  'invalid escapes': '%ffa'.repeat(15_750),
  'escapes of Unicode': '%c3%bca'.repeat(9_000),
  'escapes of an encoded percent sign': `%${'25'.repeat(31_500)}`,
  'encoded percent signs': '%25'.repeat(21_000),
  'encoded invalid escapes': '%25ff'.repeat(12_600),
  'property names': `${'address'.repeat(9_000)}\n`,
}

describe('63 KB of text', () => {
  test.each(Object.entries(nearMatches))(
    'attack: is searched in linear time if it nearly matches %s',
    (_name, text) => {
      const took = (value: unknown) => {
        const start = performance.now()
        withoutPersonal(value)
        return performance.now() - start
      }
      // The text is one value, a property name, or values that are short enough not to be cut off.
      const pieces = Array.from({ length: 31 }, (_, index) =>
        text.slice(index * 2_000, index * 2_000 + 2_000),
      )
      const best = (value: unknown) => Math.min(...Array.from({ length: 5 }, () => took(value)))
      expect(best(text)).toBeLessThan(20)
      expect(best({ [text]: 1 })).toBeLessThan(20)
      expect(best(pieces)).toBeLessThan(20)
    },
  )
})

test('values are removed by property name; values that are nested too deeply are removed too', () => {
  expect(
    withoutPersonal({
      a: [{ walletAddress: 'x', ok: 1 }],
      recipient: {},
      connected: true,
      none: null,
    }),
  ).toEqual({
    a: [{ walletAddress: '[removed]', ok: 1 }],
    recipient: '[removed]',
    connected: true,
    none: null,
  })
  let deep: unknown = 'x'
  for (let level = 0; level < 50; level += 1) deep = { deep }
  expect(JSON.stringify(withoutPersonal(deep)).length).toBeLessThan(200)
})
