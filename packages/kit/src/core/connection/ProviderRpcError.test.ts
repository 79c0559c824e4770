import { expect, test } from 'vitest'

import { ProviderRpcError, toProviderRpcError } from './ProviderRpcError.ts'

test('EIP-1193 a provider error has a name, code, message, data and cause', () => {
  const cause = new TypeError('offline')
  const error = new ProviderRpcError(4901, 'Chain disconnected', { data: { id: 1 }, cause })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: 'ProviderRpcError',
    code: 4901,
    message: 'Chain disconnected',
    data: { id: 1 },
    cause,
  })
  const bare = new ProviderRpcError(4900, 'Disconnected')
  expect(bare.data).toBeUndefined()
  expect('cause' in bare).toBe(false)
})

test.each([
  [{ code: 5000, message: 'User rejected.', data: '0x' }, 'User rejected.', '0x'],
  [{ code: 0, message: '' }, '', undefined],
  [{ code: 4001 }, 'The wallet rejected the request', undefined],
])('a session error with the reason %j becomes a provider error', (reason, message, data) => {
  const cause = Object.assign(new Error('Request failed'), { reason })
  const error = toProviderRpcError(cause)
  expect(error).toBeInstanceOf(ProviderRpcError)
  expect(error).toMatchObject({ code: reason.code, message, data, cause })
})

test.each([
  ['without a reason', new TypeError('offline')],
  ['with a reason without a code', Object.assign(new Error(), { reason: { message: 'Denied' } })],
  ['with a code that is not a number', Object.assign(new Error(), { reason: { code: '4001' } })],
])('an error %s is returned as is', (_, error) => {
  expect(toProviderRpcError(error)).toBe(error)
})
