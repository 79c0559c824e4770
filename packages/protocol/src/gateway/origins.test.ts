import { describe, expect, test } from 'vitest'
import { defaultOrigins, isOriginAllowed, localOrigins, originPatternProblem } from './origins.ts'

describe('§5.7 the whole origin is compared, and a wildcard matches whole labels', () => {
  test.each<[pattern: string, origin: string, allowed: boolean]>([
    ['https://example.com', 'https://example.com', true],
    ['https://example.com/', 'https://example.com', true],
    ['https://example.com/app?x=1', 'https://example.com', true],
    ['https://EXAMPLE.com', 'https://example.com', true],
    ['https://example.com:443', 'https://example.com', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'http://example.com', false],
    ['https://example.com', 'http://example.com', false],
    ['https://example.com', 'https://example.com:8443', false],
    ['https://example.com', 'https://www.example.com', false],
    ['https://example.com', 'https://example.com.evil.test', false],
    ['https://*.example.com', 'https://a.example.com', true],
    ['https://*.example.com', 'https://a.b.example.com', true],
    ['https://*.example.com', 'https://example.com', false],
    ['https://*.example.com', 'https://evilexample.com', false],
    ['https://*.example.com', 'https://.example.com', false],
    ['https://*.example.com', 'http://a.example.com', false],
    ['https://*.example.com', 'https://a.example.com:8443', false],
    ['https://*.example.com', 'https://a.example.com.evil.test', false],
    ['https://*.example.com:*', 'https://a.example.com:8443', true],
    ['http://localhost:*', 'http://localhost:5173', true],
    ['http://localhost:*', 'http://localhost', true],
    ['http://localhost:*', 'https://localhost:5173', false],
    ['http://localhost:*', 'http://localhost.evil.test:5173', false],
    ['http://localhost:*', 'http://evil-localhost:5173', false],
    ['http://[::1]:*', 'http://[::1]:3000', true],
    ['chrome-extension://abcdef', 'chrome-extension://abcdef', true],
    ['*', 'https://anything.test', true],
    ['*', 'null', true],
    ['https://example.com', 'null', false],
    ['https://*.example.com', 'https://a.example.com@evil.test', false],
    ['', 'https://example.com', false],
  ])('%s allows %s: %s', (pattern, origin, allowed) => {
    expect(isOriginAllowed(origin, [pattern])).toBe(allowed)
  })

  test.each([
    ['http://localhost:3000', true],
    ['https://127.0.0.1:8443', true],
    ['https://preview.pages.dev', true],
    ['https://my-app.vercel.app', true],
    ['https://abc.ngrok-free.app', true],
    ['https://secure-mobile.walletconnect.com', true],
    ['https://secure-mobile.walletconnect.org', true],
    ['https://pages.dev', false],
    ['http://my-app.vercel.app', false],
    ['https://evil.test', false],
  ])('§5.7 the default list allows %s: %s', (origin, allowed) => {
    expect(isOriginAllowed(origin, defaultOrigins)).toBe(allowed)
  })

  test('the local list does not allow hosted origins', () => {
    expect(isOriginAllowed('https://my-app.vercel.app', localOrigins)).toBe(false)
  })
})

test.each([
  ['https://example.com', false],
  ['https://*.example.com', false],
  ['http://localhost:*', false],
  ['*', false],
  ['https://app-*.example.com', true],
  ['https://a.*.example.com', true],
  ['https://*', true],
  ['not an origin', true],
  ['', true],
])('entry %s has a problem: %s', (entry, problem) => {
  expect(originPatternProblem(entry) !== undefined).toBe(problem)
})
