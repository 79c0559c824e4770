import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from './base64.ts'

test.each([
  [[], '', ''],
  [[0x66], 'Zg==', 'Zg'],
  [[0x66, 0x6f], 'Zm8=', 'Zm8'],
  [[0x66, 0x6f, 0x6f], 'Zm9v', 'Zm9v'],
  [[0xfb, 0xff, 0xfe, 0xff], '+//+/w==', '-__-_w'],
])('RFC 4648: bytes %j are %j in base64 and %j in base64url', (numbers, base64, base64url) => {
  const bytes = Uint8Array.from(numbers)
  expect([toBase64(bytes), toBase64(bytes, 'base64url')]).toEqual([base64, base64url])
  expect([fromBase64(base64), fromBase64(base64url)]).toEqual([bytes, bytes])
})

test('error: rejects other characters', () => {
  expect(() => fromBase64('a.b')).toThrow(DOMException)
})
