import { limits } from '@gatefold/protocol'
import { describe, expect, test, vi } from 'vitest'

import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { createAlert } from './alerts.ts'
import { interpolate } from './interpolate.ts'
import { pendingToastText } from './pendingToasts.ts'
import { showToast } from './showToast.ts'
import { toastOf } from './toasts.ts'
import { alertUnauthorized, unauthorizedAlert } from './unauthorizedAlert.ts'

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
})

test.each([
  ['toast.connected', 'Orrery connected'],
  ['toast.inUse', 'Switched to Orrery'],
  ['toast.switchFailed', 'Couldn’t switch to Orrery'],
  ['toast.disconnected', 'Orrery disconnected'],
  ['toast.allDisconnected', 'All wallets disconnected'],
  ['toast.ended', 'Orrery ended the connection'],
  ['toast.expired', 'Your connection to Orrery expired'],
  ['toast.notAllowed', 'Action not allowed'],
  ['toast.disconnectFailed', 'Failed to disconnect'],
] as const)('§8.4 the toast %s reads “%s”', (key, message) => {
  expect(toastOf(key, { wallet: 'Orrery' }).message).toBe(message)
})

test.each([
  ['send', 'Sending 1 ETH…', '1 ETH sent', '1 ETH wasn’t sent'],
  ['approve', 'Approving 1 ETH…', '1 ETH approved', '1 ETH wasn’t approved'],
  [
    'revoke',
    'Removing the approval of 1 ETH…',
    'Approval of 1 ETH removed',
    'The approval of 1 ETH wasn’t removed',
  ],
  ['trade', 'Swapping 1 ETH…', '1 ETH swapped', '1 ETH wasn’t swapped'],
  ['execute', 'Transaction sent', 'Transaction confirmed', 'Transaction failed'],
] as const)(
  'the toasts of a transaction of the type %s read “%s”, “%s” and “%s”',
  (type, ...texts) => {
    const read = (['Submitted', 'Confirmed', 'Failed'] as const).map((status) =>
      interpolate(pendingToastText[`toast.${type}${status}`], { what: '1 ETH' }),
    )
    expect(read).toEqual(texts)
  },
)

test.each([
  ['toast.canceled', 'Transaction canceled'],
  ['toast.replaced', 'Transaction replaced by another one'],
  ['toast.dropped', 'The network dropped a transaction'],
] as const)('the toast %s reads “%s”', (key, text) => {
  expect(pendingToastText[key]).toBe(text)
})

describe('a toast', () => {
  test('has a text of the catalog or a plain sentence', () => {
    const { kit } = start()
    showToast(kit, 'info', 'Copied')
    expect(kit.getState().toast).toEqual({
      id: expect.any(Number),
      variant: 'info',
      message: 'Copied',
    })
    const text = toastOf('toast.connected', { wallet: 'Orrery' })
    showToast(kit, 'success', text)
    expect(kit.getState().toast).toEqual({ id: expect.any(Number), variant: 'success', ...text })
  })

  test('§4.3.4 disappears, unless it is loading or another replaced it', () => {
    const { kit } = start()
    showToast(kit, 'info', 'one')
    vi.advanceTimersByTime(limits.toastMs - 1)
    showToast(kit, 'info', 'two')
    vi.advanceTimersByTime(limits.toastMs - 1)
    expect(kit.getState().toast?.message).toBe('two')
    vi.advanceTimersByTime(1)
    expect(kit.getState().toast).toBeUndefined()
    showToast(kit, 'loading', 'three')
    vi.advanceTimersByTime(limits.toastMs)
    expect(kit.getState().toast?.message).toBe('three')
  })
})

test.each([
  ['INVALID_APP_CONFIGURATION', 'error', 'Invalid App Configuration'],
  ['SWITCH_NETWORK_NOT_FOUND', 'error', 'Network Not Found'],
  ['ORIGIN_NOT_ALLOWED', 'error', 'Origin Not Allowed'],
  ['IFRAME_LOAD_FAILED', 'error', 'Network Error: Could not load embedded wallet'],
  ['IFRAME_REQUEST_TIMEOUT', 'error', 'Embedded Wallet Request Timed Out'],
  ['UNVERIFIED_DOMAIN', 'error', 'Unverified Domain'],
  ['JWT_TOKEN_NOT_VALID', 'error', 'Session Expired'],
  ['INVALID_PROJECT_ID', 'error', 'Invalid Project ID'],
  ['PROJECT_ID_NOT_CONFIGURED', 'error', 'Project ID Not Configured'],
  ['PROJECT_ID_NOT_NEEDED', 'info', 'Project ID Not Configured'],
  ['PROJECT_ID_UNUSED', 'warning', 'Project ID Not Needed'],
  ['SERVER_UNREACHABLE', 'error', 'Server Not Reachable'],
  ['NOT_A_SERVER', 'error', 'Not A Gatefold Server'],
  ['RELAY_REFUSED', 'error', 'Relay Refused The Page'],
  ['NETWORK_WITHOUT_RPC', 'warning', 'Network Without RPC'],
  ['RPC_OF_ANOTHER_CHAIN', 'warning', 'RPC Of Another Network'],
  ['RPC_UNREACHABLE', 'warning', 'Network Not Reachable'],
  ['WALLET_WITHOUT_NETWORK', 'warning', 'Network Not Supported By Wallet'],
  ['SWITCH_REFUSED', 'warning', 'Chain is not supported'],
  ['METADATA_URL_MISMATCH', 'warning', 'Metadata URL Mismatch'],
  ['SERVER_ERROR_APP_CONFIGURATION', 'error', 'Server Error'],
  ['RATE_LIMITED_APP_CONFIGURATION', 'error', 'Rate Limited'],
  ['LOCAL_CONFIGURATION_IGNORED', 'warning', 'Local configuration ignored'],
  ['MULTI_WALLET_NOT_ENABLED', 'info', 'Multi-wallet is not enabled'],
  ['STORAGE_PROBLEM', 'warning', 'Stored data could not be used'],
] as const)('§8.8.1 the alert %s has the level %s and the message “%s”', (code, level, message) => {
  expect(createAlert(code)).toMatchObject({ code, level, message })
})

test.each([
  ['origin', 'ORIGIN_NOT_ALLOWED'],
  ['projectId', 'INVALID_PROJECT_ID'],
  ['ip', undefined],
])('§8.8.2 a refusal of the field %s raises %s', (field, code) => {
  expect(unauthorizedAlert('a server’s own words', field)).toBe(code)
})

test.each([
  ['Invalid key', undefined, 'p1', 'INVALID_PROJECT_ID', 'has no active project p1'],
  ['Invalid key', undefined, undefined, 'PROJECT_ID_NOT_CONFIGURED', 'Create a project'],
  ['Refused', 'origin', 'p1', 'ORIGIN_NOT_ALLOWED', 'The project p1 on'],
  ['Refused', 'origin', undefined, 'PROJECT_ID_NOT_CONFIGURED', 'Create a project'],
  ['JWT not yet valid', undefined, undefined, 'JWT_TOKEN_NOT_VALID', 'clock'],
  ['Refused', 'ip', undefined, 'RELAY_REFUSED', 'Refused'],
  ['Refused', 'ip', 'p1', 'RELAY_REFUSED', 'Refused'],
] as const)(
  '§8.8.2 the refusal “%s” of the field %s, for the project %s, raises %s',
  async (message, field, projectId, code, hint) => {
    const { kit } = start({ debug: true, endpoints: { relay: 'https://relay.example' }, projectId })
    alertUnauthorized(kit, message, { field, otherwise: 'RELAY_REFUSED' })
    await expect.poll(() => kit.getState().alerts).toMatchObject([{ code }])
    expect(kit.getState().alerts[0]?.hint).toContain(hint)
  },
)

const gate = 'https://gate.example'
test.each([
  [
    'ORIGIN_NOT_ALLOWED',
    { endpoints: gate, projectId: 'p1' },
    'error',
    'The project p1 on https://gate.example does not allow https://book.example.',
  ],
  [
    'INVALID_PROJECT_ID',
    { endpoints: { relay: gate }, projectId: 'p1' },
    'error',
    'The server https://gate.example has no active project p1.',
  ],
  [
    'INVALID_PROJECT_ID',
    { endpoints: { gateway: gate, relay: 'https://relay.example' } },
    'error',
    'The server https://gate.example has no active project default.',
  ],
  ['PROJECT_ID_NOT_NEEDED', { endpoints: gate }, 'info', 'The default project on https://gate.'],
  ['SERVER_UNREACHABLE', { endpoints: gate }, 'error', 'https://gate.example did not respond.'],
  ['METADATA_URL_MISMATCH', {}, 'warn', '`metadata.url` is https://book.example, but the page'],
  ['MULTI_WALLET_NOT_ENABLED', {}, 'info', 'multiWallet'],
  ['STORAGE_PROBLEM', {}, 'warn', 'Full. The page continues without it.'],
] as const)('§8.8.1 the alert %s with %j is logged (%s)', async (code, options, method, hint) => {
  const { kit } = start({ debug: true, ...options })
  kit.alert(code, { message: 'Full.' })
  await expect.poll(() => kit.getState().alerts).toHaveLength(1)
  const [alert] = kit.getState().alerts
  expect(alert?.hint).toContain(hint)
  expect(logged[method]).toHaveBeenCalledExactlyOnceWith(
    `Gatefold: ${alert?.message}. ${alert?.hint}`,
  )
})

test('an alert on a server names no origin', async () => {
  vi.stubGlobal('window', undefined)
  const { kit } = start({ debug: true, storage: memoryStorage() })
  kit.alert('ORIGIN_NOT_ALLOWED')
  await expect.poll(() => logged.error).toHaveBeenCalledOnce()
  expect(kit.getState().alerts[0]?.hint).toContain('default on  does not allow . Add it')
})

test('without debug, an alert is only logged', async () => {
  const { kit } = start()
  kit.alert('ORIGIN_NOT_ALLOWED')
  await expect.poll(() => logged.error).toHaveBeenCalledOnce()
  expect(kit.getState().alerts).toEqual([])
})
