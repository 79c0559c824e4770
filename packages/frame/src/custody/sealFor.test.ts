import { base64urlnopad } from '@scure/base'
import { expect, test } from 'vitest'
import { createKeyPair, open, sealFor, toOpeningKey } from './sealFor.ts'

/** The keys and the nonce are fixed. `sealed` was computed with Node's `crypto`. */
const fixed = {
  bytes: new Uint8Array(base64urlnopad.decode('gbrodrcFE8nezGCO7VSZd6ga-hwra0CArsJWM555Lg8')),
  publicKey:
    'BBqHZTnLqsxr6jHx5xz5LiogJRluKgWJLPXEIv25L8ih0QRo7p0okxC7z5894BUvYGOQ_pceZWCl2oWmgC5Y4Rw',
  sealed:
    'BCjxEbDORMS-dYGwe8qTGfFzSvmqzC0zIdaYpWESfcZixagOMQrAvkaFNqHMboPo-sSuRRU6CNXXKfdnztNMS6AHBwcHBwcHBwcHBwfDX4poDWi9R4aymMuAmDls9tEfcrXn5i6f9YL0buPOYA',
}
const context = 'recovery|set'

test('the key of the encryption is derived from the secret, the context and both public keys', async () => {
  const opened = await open(await toOpeningKey(fixed), fixed.sealed, context)
  expect(new TextDecoder().decode(opened)).toBe('a recovery share')
})

test('attack: sealed bytes cannot be opened with another key or for another context', async () => {
  const [own, other] = [await createKeyPair(), await createKeyPair()]
  const bytes = new Uint8Array([1, 2, 3])
  const sealed = await sealFor(own.publicKey, bytes, context)
  expect(await open(await toOpeningKey(own), sealed, context)).toEqual(bytes)
  const failure = { name: 'OperationError' }
  await expect(open(await toOpeningKey(other), sealed, context)).rejects.toMatchObject(failure)
  await expect(open(await toOpeningKey(own), sealed, 'device|set')).rejects.toMatchObject(failure)
})
