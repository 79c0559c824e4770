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
    [' https://example.com ', 'https://example.com', true],
    ['http://example.com:80', 'http://example.com', true],
    ['http://example.com:443', 'http://example.com', false],
    ['https://example.com:80', 'https://example.com', false],
    ['https://example.com', 'http://example.com', false],
    ['https://example.com', 'https://example.com:8443', false],
    ['https://example.com', 'https://www.example.com', false],
    ['https://example.com', 'https://example.com.evil.test', false],
    ['https://*.example.com', 'https://a.example.com', true],
    ['https://*.example.com', 'https://a.b.example.com', true],
    ['https://*.example.com', 'https://a.bc.example.com', true],
    ['https://*.example.com.', 'https://a.example.com.', true],
    ['https://*.example.com', 'https://a..example.com', false],
    ['https://*.example.com', 'https://.a.example.com', false],
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
    ['chrome-extension://abcdef:80', 'chrome-extension://abcdef', false],
    ['*', 'https://anything.test', true],
    ['*', 'null', true],
    ['https://example.com', 'null', false],
    ['null', 'https://null', true],
    ['https://*.example.com', 'https://a.example.com@evil.test', false],
    ['', 'https://example.com', false],
  ])('%s allows %s: %s', (pattern, origin, allowed) => {
    expect(isOriginAllowed(origin, [pattern])).toBe(allowed)
  })

  test('attack: a sandboxed page, whose origin is null, is not the host “null”', () => {
    expect(isOriginAllowed('null', ['null', 'https://null', ...defaultOrigins])).toBe(false)
    expect(isOriginAllowed('null', ['*'])).toBe(true)
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
  'https://example.com',
  'https://*.example.com',
  'https://*.test',
  'https://example.com:65535',
  'http://localhost:*',
  '*',
])('entry %s has no problem', (entry) => expect(originPatternProblem(entry)).toBeUndefined())

test.each([
  ['my.site/path', 'https://my.site'],
  ['https://my.site:8443/a/b', 'https://my.site:8443'],
  ['localhost/', 'http://localhost'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
])('the problem with entry %s ends with what to write: %s', (entry, expected) => {
  expect(originPatternProblem(entry)?.split(': ').at(-1)).toBe(expected)
})

test.each([
  ['https://app-*.example.com', '* must replace whole labels at the start of the host'],
  ['https://*app.example.com', '* must replace whole labels at the start of the host'],
  ['https://a.*.example.com', '* must replace whole labels at the start of the host'],
  ['https://*', 'matches no host; to allow every origin, use * alone'],
  [
    'my.site/path',
    'has no scheme and has a path (/path); an origin is a scheme, a host and an optional port: https://my.site',
  ],
  ['my.site', 'has no scheme; an origin is a scheme, a host and an optional port: https://my.site'],
  [
    'localhost:3000',
    'has no scheme; an origin is a scheme, a host and an optional port: http://localhost:3000',
  ],
  [
    'https://my.site/',
    'has a path (/); an origin is a scheme, a host and an optional port: https://my.site',
  ],
  [
    'http://127.0.0.1:80/a/b',
    'has a path (/a/b); an origin is a scheme, a host and an optional port: http://127.0.0.1:80',
  ],
  [
    'https://my.site:70000',
    'is not an origin; expected a scheme, a host and an optional port, such as https://example.com',
  ],
  ['https://my.site?x', 'is not an origin'],
  ['not an origin', 'is not an origin'],
  ['', 'is not an origin'],
])('error: the problem with entry %s: %s', (entry, problem) => {
  expect(originPatternProblem(entry)).toContain(`“${entry}”`)
  expect(originPatternProblem(entry)).toContain(problem)
})
