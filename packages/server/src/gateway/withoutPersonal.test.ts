import { expect, test } from 'vitest'
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
  ['an e-mail', 'mail=some.one+x@mail.example.org', 'mail=[removed]'],
  ['an encoded e-mail', '?m=a%40b.example', '?m=[removed]'],
  [
    'a topic',
    'topic 7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9',
    'topic [removed]',
  ],
  ['a pairing URI', 'wc:7f6e504b@2?relay-protocol=irn&symKey=587d', '[removed]'],
  ['a token', 'Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'Bearer [removed]'],
  ['a word', 'MODAL_OPEN', 'MODAL_OPEN'],
  ['a network', 'eip155:11155111', 'eip155:11155111'],
  ['a wallet id is no address', 'io.metamask', 'io.metamask'],
])('%s', (_name, text, expected) => {
  expect(withoutPersonal(text)).toBe(expected)
})

test('values are removed by name down to a maximum depth', () => {
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
