import { expect, test } from 'vitest'
import { createReceiver, sealFor } from './handover.ts'
import { stretch } from './stretch.ts'
import {
  passwordProblem,
  unwrapWithPasskey,
  unwrapWithPassword,
  wrapWithPasskey,
  wrapWithPassword,
} from './wraps.ts'

const random = () => crypto.getRandomValues(new Uint8Array(32))
const password = 'correct horse battery staple'

const createKey = () => ({ id: 'key', userId: 'ada', bytes: random() })

test('a password and a passkey give the same recovery key', async () => {
  const key = createKey()
  const wrap = await wrapWithPassword(key, password, { stretch, now: 1 })
  expect(await unwrapWithPassword(key, wrap, password, stretch)).toEqual(key)
  const passkey = { credentialId: 'AAAA', name: 'Mac', prf: random() }
  const other = await wrapWithPasskey(key, passkey, 1)
  expect(await unwrapWithPasskey(key, other, passkey.prf)).toEqual(key)
}, 30_000)

test('the same password in another form of Unicode is the same', async () => {
  const key = createKey()
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
}, 30_000)

test('attack: a wrap of another user or key, or one that was changed, is refused', async () => {
  const key = createKey()
  const passkey = { credentialId: 'AAAA', name: 'Mac', prf: random() }
  const wrap = await wrapWithPasskey(key, passkey, 1)
  const flipped = (wrap.wrapped.startsWith('A') ? 'B' : 'A') + wrap.wrapped.slice(1)
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

test.each([
  ['short', 'Horse-15'],
  ['of few characters', 'aaaaaaaaaaaaaaaa'],
  ['with the address', 'mira-and-more-1'],
])('attack: a password that is easy to guess is refused: %s', (_, weak) => {
  expect(passwordProblem(weak, 'mira@example.com')).toBeDefined()
  expect(passwordProblem(password, 'mira@example.com')).toBeUndefined()
})

test('attack: a recovery key on its way is readable for its receiver only', async () => {
  const [receiver, other] = [await createReceiver(), await createReceiver()]
  const bytes = random()
  const sealed = await sealFor(receiver.publicKey, bytes)
  expect(await receiver.open(sealed)).toEqual(bytes)
  await expect(other.open(sealed)).rejects.toMatchObject({ name: 'OperationError' })
})
