import { expect, test } from 'vitest'

import { isUriUsable } from './attempt.ts'
import type { Attempt } from './attempt.ts'

const attempt = (change: Partial<Attempt>): Attempt => ({
  id: 1,
  connectorId: 'relay',
  namespace: undefined,
  status: 'waiting',
  progress: { type: 'uri', uri: 'wc:', expiresAt: 10 },
  ...change,
})

test.each([
  ['before it expires', {}, true],
  ['while it is being created', { progress: undefined }, true],
  [
    'after the visitor has opened an app with it',
    { progress: { type: 'uri', uri: 'wc:', expiresAt: 10, app: { id: '', name: '', href: '' } } },
    true,
  ],
  ['once it expires', { progress: { type: 'uri', uri: 'wc:', expiresAt: 5 } }, false],
  ['after a rejection', { status: 'rejected' }, false],
  ['after a failure', { status: 'failed' }, false],
  ['after the request expired', { status: 'expired' }, false],
  ['without an expiry time', { progress: { type: 'uri', uri: 'wc:' } }, false],
] as const)('a URI is usable %s: %s', (_, change, usable) => {
  expect(isUriUsable(attempt(change), 5)).toBe(usable)
})

test('without an attempt, no URI is usable', () => {
  expect(isUriUsable(undefined, 5)).toBe(false)
})
