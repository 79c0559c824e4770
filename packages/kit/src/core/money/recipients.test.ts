import { expect, test } from 'vitest'

import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { addRecipient, findLookAlike, readRecipients } from './recipients.ts'

const { start } = useKits()
const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('the latest receiver is first, each is listed once, and at most 50 are kept', () => {
  const { kit } = start()
  const storage = memoryStorage()
  for (const address of ['a', 'b', 'a']) addRecipient(kit, address, storage)
  expect(readRecipients(kit, storage)).toEqual(['a', 'b'])
  for (let index = 0; index < 60; index++) addRecipient(kit, String(index), storage)
  const stored = readRecipients(kit, storage)
  expect(stored).toHaveLength(50)
  expect(stored[0]).toBe('59')
})

test('attack: of a stored list, 50 receivers are read, and only text', () => {
  const { kit } = start()
  const storage = memoryStorage()
  const many = Array.from({ length: 51 }, (_, index) => String(index))
  storage.setItem('gatefold.recipients', JSON.stringify([7, ...many]))
  expect(readRecipients(kit, storage)).toEqual(many.slice(0, 50))
})

test.each(['not JSON', '{}', '[1, null]'])(
  'error: %s in the storage counts as no receiver',
  (text) => {
    const { kit } = start()
    const storage = memoryStorage()
    storage.setItem('gatefold.recipients', text)
    expect(readRecipients(kit, storage)).toEqual([])
  },
)

test('error: a full storage does not fail a transfer', () => {
  const { kit } = start()
  const storage = {
    ...memoryStorage(),
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  addRecipient(kit, 'a', storage)
  expect(readRecipients(kit, storage)).toEqual([])
})

test.each([
  ['has the same first and last four digits', '0xF39f000000000000000000000000000000002266', known],
  ['is known itself, in another case', known.toLowerCase(), undefined],
  ['differs in the first digits', '0xf390000000000000000000000000000000002266', undefined],
  ['differs in the last digits', '0xf39f000000000000000000000000000000002267', undefined],
])('a look-alike %s', (_, address, found) => {
  expect(findLookAlike(address, ['0x1', known])).toBe(found)
})
