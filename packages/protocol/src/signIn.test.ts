import { expect, test } from 'vitest'
import { isSignInFor } from './signIn.ts'

const uri = 'https://bank.example/login'

test.each([
  ['bank.example', uri],
  ['BANK.example', uri],
  ['bank.example:443', 'https://bank.example:443'],
  ['https://bank.example', 'https://bank.example?next=/'],
])('a sign-in with domain %s and URI %s is for the page', (domain, uri) => {
  expect(isSignInFor('https://bank.example', { domain, uri })).toBe(true)
})

test.each([
  ['another site', 'evil.example', uri],
  ['another URI', 'bank.example', 'https://evil.example/login'],
  ['a subdomain', 'login.bank.example', uri],
  ['a longer name', 'bank.example.evil.example', uri],
  ['the domain as user info', 'bank.example@evil.example', uri],
  ['user info before the domain', 'evil.example@bank.example', uri],
  ['another port', 'bank.example:8443', uri],
  ['another port in the URI', 'bank.example', 'https://bank.example:8443'],
  ['another scheme', 'http://bank.example', uri],
  ['another scheme in the URI', 'bank.example', 'http://bank.example'],
  ['a path', 'bank.example/evil', uri],
  ['a backslash', 'bank.example\\evil.example', uri],
  ['a line break', 'bank.example\n', uri],
  ['a line break in the URI', 'bank.example', `${uri}\nChain ID: 5`],
  ['a tab before the URI', 'bank.example', `\t${uri}`],
  ['a lookalike domain', 'bаnk.example', uri],
  ['no domain', '', uri],
  ['no URI', 'bank.example', ''],
  ['a URI without an origin', 'bank.example', 'did:key:z6Mk'],
])('attack: a sign-in with %s is not for the page', (_what, domain, uri) => {
  expect(isSignInFor('https://bank.example', { domain, uri })).toBe(false)
})

test('the domain must contain the page’s port', () => {
  const isForPage = (domain: string) =>
    isSignInFor('http://localhost:5173/', { domain, uri: 'http://localhost:5173/' })
  expect([isForPage('localhost:5173'), isForPage('localhost')]).toEqual([true, false])
})

test.each([
  ['not a URL', 'not a url', 'bank.example', uri],
  ['a URL without an origin', 'did:example:1', 'custom://bank.example', 'custom://bank.example'],
])('attack: no sign-in is for a page that is %s', (_what, page, domain, uri) => {
  expect(isSignInFor(page, { domain, uri })).toBe(false)
})
