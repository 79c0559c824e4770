import { expect, test } from 'vitest'
import { isSignInFor } from './signIn.ts'

const uri = 'https://bank.example/login'

test.each([
  ['bank.example', uri],
  ['BANK.example', uri],
  ['bank.example:443', 'https://bank.example:443'],
  ['https://bank.example', 'https://bank.example?next=/'],
])('a sign-in for %s with %s is for the page', (domain, uri) => {
  expect(isSignInFor('https://bank.example', { domain, uri })).toBe(true)
})

test.each([
  ['another site', 'evil.example', uri],
  ['another URI', 'bank.example', 'https://evil.example/login'],
  ['a subdomain', 'login.bank.example', uri],
  ['a longer name', 'bank.example.evil.example', uri],
  ['user info', 'bank.example@evil.example', uri],
  ['user info of the site', 'evil.example@bank.example', uri],
  ['another port', 'bank.example:8443', uri],
  ['another port of the URI', 'bank.example', 'https://bank.example:8443'],
  ['another scheme', 'http://bank.example', uri],
  ['another scheme of the URI', 'bank.example', 'http://bank.example'],
  ['a path', 'bank.example/evil', uri],
  ['a backslash', 'bank.example\\evil.example', uri],
  ['a line break', 'bank.example\n', uri],
  ['a name that looks alike', 'bаnk.example', uri],
  ['no domain', '', uri],
  ['no URI', 'bank.example', ''],
  ['a URI that is not of a page', 'bank.example', 'did:key:z6Mk'],
])('a sign-in with %s is not for the page', (_what, domain, uri) => {
  expect(isSignInFor('https://bank.example', { domain, uri })).toBe(false)
})

test('a port of the page is part of the domain', () => {
  const of = (domain: string) =>
    isSignInFor('http://localhost:5173/', { domain, uri: 'http://localhost:5173/' })
  expect([of('localhost:5173'), of('localhost')]).toEqual([true, false])
})
