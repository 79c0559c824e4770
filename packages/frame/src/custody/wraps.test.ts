import { expect, test } from 'vitest'
import { createKeyPair } from './sealFor.ts'
import { wrapAsBefore } from './testing.ts'
import { createReceiver, sealForReceiver } from './handover.ts'
import { stretch } from './stretch.ts'
import {
  passwordProblem,
  rewrap,
  unwrapWithPasskey,
  unwrapWithPassword,
  wrapWithPasskey,
  wrapWithPassword,
} from './wraps.ts'

const random = () => crypto.getRandomValues(new Uint8Array(32))
const password = 'correct horse battery staple'

const createKey = async () => ({ id: 'key', userId: 'ada', bytes: (await createKeyPair()).bytes })

test('a password and a passkey give the same recovery key', async () => {
  const key = await createKey()
  const wrap = await wrapWithPassword(key, password, { stretch, now: 1 })
  expect(await unwrapWithPassword(key, wrap, password, stretch)).toEqual(key)
  const passkey = { credentialId: 'AAAA', name: 'Mac', prf: random() }
  const other = await wrapWithPasskey(key, passkey, 1)
  expect(await unwrapWithPasskey(key, other, passkey.prf)).toEqual(key)
})

test('the same password in another form of Unicode is the same', async () => {
  const key = await createKey()
  const wrap = await wrapWithPassword(key, 'Käse und Brötchen'.normalize('NFD'), {
    stretch,
    now: 1,
  })
  const unwrapped = await unwrapWithPassword(
    key,
    wrap,
    'Käse und Brötchen'.normalize('NFC'),
    stretch,
  )
  expect(unwrapped.bytes).toEqual(key.bytes)
})

test('attack: a wrap of another user or key, or one that was changed, is refused', async () => {
  const key = await createKey()
  const passkey = { credentialId: 'AAAA', name: 'Mac', prf: random() }
  const wrap = await wrapWithPasskey(key, passkey, 1)
  // This character is in the ciphertext, not in the public key before it.
  const at = 130
  const flipped =
    wrap.wrapped.slice(0, at) + (wrap.wrapped[at] === 'A' ? 'B' : 'A') + wrap.wrapped.slice(at + 1)
  for (const [owner, change, prf] of [
    [{ ...key, id: 'other' }, {}, passkey.prf],
    [key, { credentialId: 'BBBB' }, passkey.prf],
    [key, { wrapped: flipped }, passkey.prf],
    [key, {}, random()],
    [{ ...key, userId: 'eve' }, {}, passkey.prf],
  ] as const)
    await expect(unwrapWithPasskey(owner, { ...wrap, ...change }, prf)).rejects.toMatchObject({
      name: 'OperationError',
    })
})

test('a passkey from an earlier version gets a public key when it is used', async () => {
  const key = await createKey()
  const passkey = { credentialId: 'AAAA', name: 'Mac', prf: random() }
  const wrap = await wrapAsBefore(key, passkey, 1)
  const { upgraded, ...unwrapped } = await unwrapWithPasskey(key, wrap, passkey.prf)
  expect(unwrapped).toEqual(key)
  expect(upgraded).toMatchObject({
    ...wrap,
    publicKey: expect.any(String),
    wrapped: expect.any(String),
  })
  if (upgraded?.method !== 'passkey') throw new Error('no passkey')
  expect(await unwrapWithPasskey(key, upgraded, passkey.prf)).toEqual(key)
})

test('another recovery key is wrapped for a method without its secret', async () => {
  const [key, next] = [await createKey(), { ...(await createKey()), id: 'next' }]
  const passkey = { credentialId: 'AAAA', name: 'Mac', prf: random() }
  const { publicKey, ...wrap } = await wrapWithPasskey(key, passkey, 1)
  const other = await rewrap(next, { ...wrap, publicKey: publicKey! })
  expect(await unwrapWithPasskey(next, other, passkey.prf)).toEqual(next)
  // The previous wrap still contains only the previous key.
  const stolen = unwrapWithPasskey(next, { ...wrap, publicKey: publicKey! }, passkey.prf)
  await expect(stolen).rejects.toMatchObject({ name: 'OperationError' })
})

test.each([
  ['short', 'Horse-15'],
  ['of few characters', 'aaaaaaaaaaaaaaaa'],
  ['with the address', 'mira-and-more-1'],
])('attack: a password that is easy to guess is refused: %s', (_, weak) => {
  expect(passwordProblem(weak, 'mira@example.com')).toBeDefined()
  expect(passwordProblem(password, 'mira@example.com')).toBeUndefined()
})

test('attack: only the receiver can read a recovery key in transit', async () => {
  const [receiver, other] = [await createReceiver(), await createReceiver()]
  const bytes = random()
  const sealed = await sealForReceiver(receiver.publicKey, bytes)
  expect(await receiver.open(sealed)).toEqual(bytes)
  await expect(other.open(sealed)).rejects.toMatchObject({ name: 'OperationError' })
})
