import { describe, expect, test } from 'vitest'
import { withoutPersonal } from './withoutPersonal.ts'

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
])('%s: %j becomes %j', (_name, text, expected) => {
  expect(withoutPersonal(text)).toBe(expected)
})

test('property names are searched too', () => {
  expect(withoutPersonal({ 'some.one@mail.example': 1 })).toEqual({ '[removed]': 1 })
})

test('attack: a long string is cut off between words, so that no part of an address remains', () => {
  const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  for (let start = 2_000; start < 2_060; start += 1) {
    const text = withoutPersonal(`${'word '.repeat(500).slice(0, start)} ${address} end`) as string
    expect(text.length).toBeLessThanOrEqual(2_048)
    expect(text).not.toContain('0x7')
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
