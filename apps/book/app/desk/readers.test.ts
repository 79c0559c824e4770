import { describe, expect, test } from 'vitest'
import { parseAmount } from './parseAmount.ts'
import { readRecipient } from './readRecipient.ts'

describe('parseAmount', () => {
  test.each([
    ['1', 10n ** 18n],
    ['0.5', 5n * 10n ** 17n],
    ['.5', 5n * 10n ** 17n],
    [' 2. ', 2n * 10n ** 18n],
    ['0.000000000000000001', 1n],
  ])('%s', (text, value) => {
    expect(parseAmount(text, 18)).toEqual({ value })
  })

  test.each([
    ['', 'Message how much to send.'],
    ['0,5', 'Write decimals with a point, as in 0.5.'],
    ['.', 'This is not a number.'],
    ['1e3', 'This is not a number.'],
    ['-1', 'This is not a number.'],
    ['0.0', 'Send more than nothing.'],
    ['0.0000001', 'This coin has 6 digits after the point, not more.'],
  ])('error: "%s"', (text, problem) => {
    expect(parseAmount(text, 6)).toEqual({ problem })
  })
})

describe('readRecipient', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const names = async (name: string) => (name === 'mira.eth' ? address : undefined)

  test.each([[address], [address.toLowerCase()]])(
    'the address %s is taken as it is',
    async (text) => {
      expect(await readRecipient(` ${text} `, names)).toEqual({ value: text })
    },
  )

  test('a name is looked up', async () => {
    expect(await readRecipient('mira.eth', names)).toEqual({ value: address })
  })

  test.each([
    ['', /who to send/],
    ['0x1234', /too short/],
    [`${address}00`, /too long/],
    [address.replace('f39F', 'f39f'), /has a slip in it/],
    [`0x${'g'.repeat(40)}`, /only the digits/],
    ['mira', /a name has a dot/],
    ['nobody.eth', /^Nobody is called nobody\.eth/],
  ])('error: "%s"', async (text, problem) => {
    expect((await readRecipient(text, names)).problem).toMatch(problem)
  })

  test('error: names that cannot be looked up are told apart from names that do not exist', async () => {
    const failing = () => Promise.reject(new Error('the node is down'))
    expect((await readRecipient('mira.eth', failing)).problem).toMatch(/cannot be looked up/)
  })
})
