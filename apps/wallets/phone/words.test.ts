import { ExpiredError, RelayError } from '@gatefold/sign'
import { describe, expect, test } from 'vitest'
import type { AskingApp } from '../src/provider/Subject.ts'
import { abilities, explain, trustWords } from './words.ts'

const app = (rest: Partial<AskingApp>): AskingApp => ({
  name: 'Book',
  url: 'https://book.example/page',
  trust: 'unverified',
  ...rest,
})

describe('who asks', () => {
  test.each([
    [{ trust: 'verified', seenAt: 'https://book.example' }, 'Really book.example', /saw this page/],
    [{ trust: 'unverified' }, 'Nobody checked who asks', /Compare book\.example/],
    [
      { trust: 'mismatch', seenAt: 'https://evil.example' },
      'Not the site it claims to be',
      /says book\.example, but evil\.example asks/,
    ],
    [{ trust: 'scam', seenAt: 'https://evil.example' }, 'Known to steal', /^evil\.example was/],
    [{ trust: 'unverified', url: '' }, 'Nobody checked who asks', /Compare the site it names/],
  ] as const)('%o is named', (rest, title, text) => {
    const words = trustWords(app(rest))
    expect(words.title).toBe(title)
    expect(words.text).toMatch(text)
  })
})

describe('what an app may do', () => {
  test.each([
    [[], ['eye']],
    [['personal_sign'], ['eye', 'pen']],
    [
      ['eth_sendTransaction', 'wallet_switchEthereumChain'],
      ['eye', 'send', 'hex'],
    ],
  ])('%o', (methods, icons) => {
    expect(abilities(methods).map(({ icon }) => icon)).toEqual(icons)
  })
})

describe('an error', () => {
  test.each([
    [new RelayError('no socket'), /The relay does not answer/],
    [new ExpiredError('late'), /took too long/],
    [new Error('a bare message'), /^a bare message$/],
    ['a text', /^a text$/],
  ])('%s is explained', (error, sentence) => {
    expect(explain(error)).toMatch(sentence)
  })
})
