import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { decodeBase58, encodeBase58 } from './base58.ts'

// The vectors of draft-msporny-base58-03.
test.each([
  [new TextEncoder().encode('Hello World!'), '2NEpo7TZRRrLZSi2U'],
  [
    new TextEncoder().encode('The quick brown fox jumps over the lazy dog.'),
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  ],
  [Uint8Array.of(0x00, 0x00, 0x28, 0x7f, 0xb4, 0xcd), '11233QC4'],
  [new Uint8Array(3), '111'],
  [new Uint8Array(), ''],
])('bytes and their base58: %#', (bytes, text) => {
  expect(encodeBase58(bytes)).toBe(text)
  expect(decodeBase58(text)).toEqual(bytes)
})

test('any bytes come back, also the largest transaction', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
    }),
  )
  const largest = new Uint8Array(1232).fill(255)
  expect(decodeBase58(encodeBase58(largest))).toEqual(largest)
})

test('error: a text with other characters is not base58', () => {
  expect(() => decodeBase58('0OIl')).toThrow('The text is not base58.')
})
