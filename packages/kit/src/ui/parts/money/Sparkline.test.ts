import { expect, test } from 'vitest'

import { lineThrough } from './Sparkline.tsx'

const at = (time: number, price: number) => ({ time, price })

test('the line goes from left to right in proportion to the time; the highest price is at the top', () => {
  expect(lineThrough([at(1_000, 10), at(2_000, 20), at(5_000, 15)])).toBe('M0 38L25 2L100 20')
})

test('equal prices are a level line in the middle', () => {
  expect(lineThrough([at(1, 7), at(2, 7)])).toBe('M0 20L100 20')
})
