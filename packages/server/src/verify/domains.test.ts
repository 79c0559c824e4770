import { describe, expect, test } from 'vitest'
import { domainsOf, toDomain } from './domains.ts'

test.each([
  ['phishing.example', 'phishing.example'],
  ['PHISHING.Example.', 'phishing.example'],
  [' phishing.example ', 'phishing.example'],
  ['börse.example', 'xn--brse-5qa.example'],
  ['xn--brse-5qa.example', 'xn--brse-5qa.example'],
  ['phishing。example', 'phishing.example'],
  ['https://User@Börse.example:8443/path?x#y', 'xn--brse-5qa.example'],
  ['a_b.example', 'a_b.example'],
  ['example', undefined],
  ['', undefined],
  ['.', undefined],
  ['*.example.com', undefined],
  ['a..example', undefined],
  ['-a.example', undefined],
  ['two words.example', undefined],
  ['https://', undefined],
  ['192.0.2.1', undefined],
  ['https://[::1]/', undefined],
  [`${'a'.repeat(64)}.example`, undefined],
  [`${'a.'.repeat(130)}example`, undefined],
  ['a.example_x', undefined],
])('the domain of “%s” is %s', (text, domain) => {
  expect(toDomain(text)).toBe(domain)
})

describe('a host belongs to its parent domains', () => {
  test.each([
    ['a.b.example', ['a.b.example', 'b.example']],
    ['phishing.example.', ['phishing.example']],
    ['localhost', []],
    ['[::1]', []],
  ])('%s', (host, domains) => {
    expect(domainsOf(host)).toEqual(domains)
  })

  test.each(['a-', '-a', 'a~b', 'a--b', 'xn--', 'a'.repeat(64), 'a.'.repeat(130)])(
    'attack: a host below a domain belongs to it, even if it is not a domain itself: %s',
    (label) => {
      expect(domainsOf(`${label}.phishing.example`)).toContain('phishing.example')
    },
  )

  test('only the last labels of a long host are used', () => {
    expect(domainsOf(`${'a.'.repeat(100)}phishing.example`)).toContain('phishing.example')
    expect(domainsOf(`${'a.'.repeat(100)}phishing.example`)).toHaveLength(19)
  })
})
