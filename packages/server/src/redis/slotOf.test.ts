import { expect, test } from 'vitest'
import { slotOf } from './slotOf.ts'

test.each([
  ['123456789', 0x31c3],
  ['foo{}{bar}', 8363],
  ['foo{{bar}}zap', 4015],
  ['foo{bar}{zap}', 5061],
  ['bar', 5061],
  ['', 0],
])('the slot of “%s” is %i, as in Redis', (key, slot) => {
  expect(slotOf(key)).toBe(slot)
})
