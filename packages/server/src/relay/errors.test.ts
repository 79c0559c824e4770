import { expect, test } from 'vitest'
import { fromStore, RelayError, RelayStorageError, toErrorMember } from './errors.ts'

test.each<[unknown, ReturnType<typeof toErrorMember>]>([
  [
    new RelayError('auth', 'InvalidJwt', 'no'),
    { code: 3000, message: 'Auth error: no', data: 'InvalidJwt' },
  ],
  [
    new RelayStorageError(new Error('secret')),
    {
      code: -32_603,
      message: 'Internal error: the message store is unavailable',
      data: 'StorageError',
    },
  ],
  [
    new TypeError('secret'),
    { code: -32_603, message: 'Internal error: unexpected error', data: 'Unknown' },
  ],
])('%s is sent as %j', (error, member) => {
  expect(toErrorMember(error)).toEqual(member)
})

test('errors have names and codes, and keep their cause', async () => {
  const cause = new Error('no disk')
  expect(new RelayError('auth', 'InvalidJwt', 'no')).toMatchObject({
    name: 'RelayError',
    code: 'relay.auth',
  })
  await expect(fromStore(Promise.reject(cause))).rejects.toMatchObject({
    name: 'RelayStorageError',
    code: 'relay.internal',
    cause,
  })
  expect(await fromStore(Promise.resolve(1))).toBe(1)
})
