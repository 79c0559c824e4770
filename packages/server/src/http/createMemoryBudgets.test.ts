import { expect, test } from 'vitest'
import {
  addressMemoryBytes,
  createMemoryBudgets,
  processMemoryBytes,
  reservedMemoryBytes,
} from './createMemoryBudgets.ts'

test('attack: an address that fills its budget does not use up other budgets', () => {
  const memory = createMemoryBudgets()
  expect(memory.reserve('a', addressMemoryBytes)).toBe(true)
  expect(memory.reserve('a', 1)).toBe(false)
  expect(memory.reserve('b', addressMemoryBytes)).toBe(true)
  memory.add('a', -1)
  expect(memory.reserve('a', 1)).toBe(true)
})

test('attack: each address keeps a reserve while many addresses use up the limit of the process', () => {
  const memory = createMemoryBudgets()
  for (let used = 0; used < processMemoryBytes; used += addressMemoryBytes)
    expect(memory.reserve(`attacker ${used}`, addressMemoryBytes)).toBe(true)
  expect(memory.hasRoom('attacker 0', 1)).toBe(false)
  expect(memory.reserve('other', reservedMemoryBytes)).toBe(true)
  expect(memory.reserve('other', 1)).toBe(false)
})
