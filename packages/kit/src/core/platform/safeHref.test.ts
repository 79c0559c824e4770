import { expect, test } from 'vitest'

import { safeHref } from './safeHref.ts'

test.each(['https://wallet.example/get', 'http://localhost:3000/'])('%s is safe', (link) => {
  expect(safeHref(link)).toBe(link)
  expect(safeHref(link, { app: true })).toBe(link)
})

test('an app scheme is safe only if apps are allowed', () => {
  expect(safeHref('wallet://wc')).toBeUndefined()
  expect(safeHref('wallet://wc', { app: true })).toBe('wallet://wc')
})

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://wallet.example/1',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://wallet.example/',
  'intent://scan/#Intent;scheme=wallet;S.browser_fallback_url=https%3A%2F%2Fevil.example;end',
  'INTENT:#Intent;action=android.intent.action.VIEW;end',
])('error: %j is rejected', (link) => {
  expect(safeHref(link)).toBeUndefined()
  expect(safeHref(link, { app: true })).toBeUndefined()
})

test.each([undefined, null, '', 'wallet', '//wallet.example'])('%j is not a URL', (link) => {
  expect(safeHref(link, { app: true })).toBeUndefined()
})
