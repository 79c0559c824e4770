import { describe, expect, test } from 'vitest'
import { parseAmount } from './parseAmount.ts'
import { parseRecipient } from './parseRecipient.ts'

describe('parseAmount', () => {
  test.each([
    ['1', 10n ** 18n],
    ['0.5', 5n * 10n ** 17n],
    ['.5', 5n * 10n ** 17n],
    [' 2. ', 2n * 10n ** 18n],
    ['0.000000000000000001', 1n],
  ])('parses "%s"', (text, value) => {
    expect(parseAmount(text, 18)).toEqual({ value })
  })

  test.each([
    ['', 'Enter an amount.'],
    ['0,5', 'Use a point for decimals, as in 0.5.'],
    ['.', 'Enter a number, such as 0.5.'],
    ['1e3', 'Enter a number, such as 0.5.'],
    ['-1', 'Enter a number, such as 0.5.'],
    ['0.0', 'Enter an amount above 0.'],
    ['0.0000001', 'Use at most 6 decimals.'],
  ])('error: rejects "%s"', (text, problem) => {
    expect(parseAmount(text, 6)).toEqual({ problem })
  })
})

describe('parseRecipient', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const names = async (name: string) => (name === 'mira.eth' ? address : undefined)

  test.each([[address], [address.toLowerCase()]])('accepts the address %s', async (text) => {
    expect(await parseRecipient(` ${text} `, names)).toEqual({ value: text })
  })

  test('resolves a name', async () => {
    expect(await parseRecipient('mira.eth', names)).toEqual({ value: address })
  })

  test.each([
    ['', /^Enter an address or a name/],
    ['0x1234', /too short/],
    [`${address}00`, /too long/],
    [address.replace('f39F', 'f39f'), /checksum doesn’t match/],
    [`0x${'g'.repeat(40)}`, /can only contain/],
    ['mira', /a name such as/],
    ['unregistered.eth', /^There’s no address for unregistered\.eth/],
  ])('error: rejects "%s"', async (text, problem) => {
    expect((await parseRecipient(text, names)).problem).toMatch(problem)
  })

  test('error: reports a failed lookup, not a missing name', async () => {
    const failing = () => Promise.reject(new Error('the node is down'))
    expect((await parseRecipient('mira.eth', failing)).problem).toMatch(/Couldn’t look up/)
  })
})
