import { ExpiredError, RelayError } from '@gatefold/sign'
import { describe, expect, test } from 'vitest'
import type { RequestingApp } from '../src/provider/RequestDetails.ts'
import { permissionsOf, explainError, trustText } from './texts.ts'

const app = (rest: Partial<RequestingApp>): RequestingApp => ({
  name: 'Book',
  url: 'https://book.example/page',
  trust: 'unverified',
  ...rest,
})

describe('the trust text', () => {
  test.each([
    [
      { trust: 'verified', attestedOrigin: 'https://book.example' },
      'Domain verified',
      /comes from book\.example/,
    ],
    [{ trust: 'unverified' }, 'Can’t verify this domain', /Check that book\.example/],
    [
      { trust: 'mismatch', attestedOrigin: 'https://evil.example' },
      'Domain mismatch',
      /claims to be book\.example, but the request comes from evil\.example/,
    ],
    [
      { trust: 'scam', attestedOrigin: 'https://evil.example' },
      'Reported as a scam',
      /^evil\.example was/,
    ],
    [{ trust: 'unverified', url: '' }, 'Can’t verify this domain', /Check that its website/],
  ] as const)('of the app %j has the title %j', (rest, title, text) => {
    const words = trustText(app(rest))
    expect(words.title).toBe(title)
    expect(words.text).toMatch(text)
  })
})

describe('the permissions', () => {
  test.each([
    [[], ['eye']],
    [['personal_sign'], ['eye', 'pen']],
    [
      ['eth_sendTransaction', 'wallet_switchEthereumChain'],
      ['eye', 'send', 'hex'],
    ],
  ])('for the methods %j have the icons %j', (methods, icons) => {
    expect(permissionsOf(methods).map(({ icon }) => icon)).toEqual(icons)
  })
})

describe('the error text', () => {
  test.each([
    [new RelayError('no socket'), /Couldn’t reach the relay/],
    [new ExpiredError('late'), /timed out/],
    [new Error('a plain message'), /^a plain message$/],
    ['a text', /^a text$/],
  ])('for %s matches %s', (error, sentence) => {
    expect(explainError(error)).toMatch(sentence)
  })
})
