import { expect, test, vi } from 'vitest'

import { useKits } from '../testing/useKits.ts'
import { interpolate } from './interpolate.ts'
import { toastOf } from './toasts.ts'
import { unauthorizedAlert } from './unauthorizedAlert.ts'

const { start, logged } = useKits()

test.each([
  ['JWT Token is not yet valid', 'JWT_TOKEN_NOT_VALID'],
  ['The JWT of this page is not yet valid', 'JWT_TOKEN_NOT_VALID'],
  ['Unauthorized: origin not allowed', 'ORIGIN_NOT_ALLOWED'],
  ['Invalid key', 'INVALID_PROJECT_ID'],
  ['Invalid project key', 'INVALID_PROJECT_ID'],
  ['Project not found', 'INVALID_PROJECT_ID'],
  ['unknown project', 'INVALID_PROJECT_ID'],
  ['JWT expired', undefined],
  ['', undefined],
])('§8.8.2 the message “%s” raises %s', (message, code) => {
  expect(unauthorizedAlert(message)).toBe(code)
})

test('placeholders without a value are kept', () => {
  expect(interpolate('{a} and {b1} and {c}', { a: 1, b1: 'two' })).toBe('1 and two and {c}')
  expect(interpolate('{a}')).toBe('{a}')
})

test('a toast has its English text, its key and its values', () => {
  expect(toastOf('toast.connected', { wallet: 'Orrery' })).toEqual({
    message: 'Orrery connected',
    key: 'toast.connected',
    values: { wallet: 'Orrery' },
  })
  expect(toastOf('toast.allDisconnected').message).toBe('All wallets disconnected')
})

const gate = 'https://gate.example'
test.each([
  [
    'ORIGIN_NOT_ALLOWED',
    {},
    'error',
    'Add https://book.example to the allowed origins of project default.',
  ],
  [
    'INVALID_PROJECT_ID',
    { endpoints: { relay: gate }, projectId: 'p1' },
    'error',
    `The gateway at ${gate} has no project p1.`,
  ],
  ['INVALID_PROJECT_ID', {}, 'error', 'The gateway at  has no project default.'],
  ['MULTI_WALLET_NOT_ENABLED', {}, 'info', 'multiWallet'],
  ['STORAGE_PROBLEM', {}, 'warn', 'Full. The page continues without it.'],
] as const)('§8.8.1 the alert %s with %j is logged (%s)', async (code, options, method, hint) => {
  const { kit } = start({ debug: true, ...options })
  kit.alert(code, { message: 'Full.' })
  await vi.waitFor(() => expect(kit.getState().alerts).toHaveLength(1))
  expect(logged[method]).toHaveBeenCalledOnce()
  expect(kit.getState().alerts[0]?.hint).toContain(hint)
})
