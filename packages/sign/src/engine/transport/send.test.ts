import { expect, test } from 'vitest'
import { createMemoryRelay } from '../../testing/createMemoryRelay.ts'
import { openEngine } from '../../testing/engines.ts'
import type { Context } from '../Context.ts'
import { markSent } from './send.ts'

test('a request whose record was deleted while it was sent gets no new record', async () => {
  const { stores } = await openEngine(createMemoryRelay())
  markSent({ stores } as Context, 5)
  expect(stores.records.values()).toEqual([])
})
