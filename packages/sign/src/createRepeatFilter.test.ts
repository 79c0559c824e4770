import { expect, test } from 'vitest'
import { createEmitter } from './createEmitter.ts'
import { createRepeatFilter } from './createRepeatFilter.ts'
import type { PendingRequest } from './Session.ts'

function create() {
  const changes = createEmitter<{ pendingRequests: PendingRequest[] }>()
  const filter = createRepeatFilter({ onChange: (listener) => changes.on(listener) })
  const change = (...ids: number[]) =>
    changes.emit({ pendingRequests: ids.map((id) => ({ id }) as PendingRequest) })
  return { ...filter, change }
}

test('a pending request that is emitted again is a repeat', () => {
  const { change, isRepeat } = create()
  change(1, 2)
  expect([isRepeat(1), isRepeat(2)]).toEqual([false, false])
  change(1)
  expect([isRepeat(1), isRepeat(1)]).toEqual([true, true])
})

test('attack: a request with the id of one that is no longer pending is not a repeat', () => {
  const { change, isRepeat } = create()
  change(1)
  expect(isRepeat(1)).toBe(false)
  change()
  change(1)
  expect(isRepeat(1)).toBe(false)
})
