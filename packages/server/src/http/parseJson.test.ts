import { describe, expect, test, vi } from 'vitest'
import { maxJsonDepth, maxJsonValues, parseJson } from './parseJson.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test.each([
  ['the deepest allowed nesting', nested(maxJsonDepth)],
  [
    'the most values allowed',
    `[${Array(maxJsonValues - 1)
      .fill(0)
      .join()}]`,
  ],
  ['brackets and commas in strings', `["${'[,'.repeat(maxJsonValues)}"]`],
  ['escaped quotation marks', String.raw`{"a\"[[":"\\","b":"[\\\"[","c":[1,"]"]}`],
])('parses %s', (_, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each(['', '{', '"', '"\\', '[1,]', '{"a":"b\\"}', ']['])('error: %j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})

describe('attack: text that is expensive to parse is refused without parsing it', () => {
  const mib = 1024 * 1024
  test.each([
    ['nested arrays', nested(2 * mib)],
    ['nested objects', `${'{"a":'.repeat(mib / 2)}1${'}'.repeat(mib / 2)}`],
    ['arrays that do not end', '['.repeat(4 * mib)],
    ['many values', `[${Array(mib).fill('{}').join()}]`],
    ['one level too many', nested(maxJsonDepth + 1)],
    ['one value too many', `[${Array(maxJsonValues).fill(0).join()}]`],
  ])('%s', (_, text) => {
    using parse = vi.spyOn(JSON, 'parse')
    expect(() => parseJson(text)).toThrow('too many values')
    // Parsing two million nested arrays would take about a second.
    expect(parse).not.toHaveBeenCalled()
  })
})
