import { expect, test } from 'vitest'
import { parseDataUri } from './dataUri.ts'

const read = (uri: string, maxBytes = 1_000) => {
  const document = parseDataUri(uri, maxBytes)
  return document && [document.type, new TextDecoder().decode(document.bytes)]
}

test.each([
  ['data:application/json,{"a":1}', 'application/json', '{"a":1}'],
  ['data:application/json;base64,eyJhIjoxfQ==', 'application/json', '{"a":1}'],
  ['data:application/json;utf8,{"name":"#1 is 100%"}', 'application/json', '{"name":"#1 is 100%"}'],
  ['data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E', 'image/svg+xml', '<svg/>'],
  ['DATA:,text', '', 'text'],
])('parses %s', (uri, type, text) => expect(read(uri)).toEqual([type, text]))

test.each(['data:text/plain', 'https://nft.example/,', ''])('does not parse %j', (uri) =>
  expect(read(uri)).toBeUndefined(),
)

test('attack: a document that is too large is not parsed', () => {
  expect(read(`data:,${'x'.repeat(1_001)}`)).toBeUndefined()
  expect(read(`data:,${'%20'.repeat(1_000)}`)).toBeDefined()
  expect(read(`data:;base64,${'eHh4'.repeat(400)}`)).toBeUndefined()
})
