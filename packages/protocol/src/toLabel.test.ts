import { expect, test } from 'vitest'
import { toLabel } from './toLabel.ts'

test.each([
  ['a name', 'Gold', 'Gold'],
  ['spaces around a name', '  Gold bar \t', 'Gold bar'],
  ['a change of direction', '\u202egold\u202c', 'gold'],
  ['control and format characters', 'go\u0000l\u200bd\u001f', 'gold'],
  ['line separators', 'go\u2028ld\u2029', 'gold'],
  ['a text that is too long', 'Gold bars', 'Gold bar'],
  ['half of a character', 'Goldbar😀', 'Goldbar\ufffd'],
])('attack: %s of a stranger becomes a label of one line', (_what, text, label) => {
  expect(toLabel(text, 8)).toBe(label)
})
