import { expect, test } from 'vitest'

import { BaseError } from './errors.ts'

test('the message contains the short message, the hints and the details', () => {
  const error = new BaseError('The box is full', {
    code: 'box.full',
    metaMessages: ['Empty it first.'],
    cause: new Error('no room'),
  })
  expect(error.message).toMatchInlineSnapshot(`
    "The box is full
    Empty it first.
    Details: no room"
  `)
  expect(error).toMatchObject({
    name: 'GatefoldError',
    code: 'box.full',
    userMessage: 'The box is full',
    metaMessages: ['Empty it first.'],
    details: 'no room',
  })
})

test('the message of an error without hints and details is the short message', () => {
  const error = new BaseError('The box is full', { code: 'box.full' })
  expect(error).toMatchObject({ message: 'The box is full', metaMessages: [] })
  expect('cause' in error).toBe(false)
})

test('the message does not repeat details that equal the short message', () => {
  const error = new BaseError('no room', { code: 'box.full', cause: new Error('no room') })
  expect(error.message).toBe('no room')
})

test('walks the chain of causes', () => {
  const inner = new TypeError('deep')
  const error = new BaseError('outer', {
    code: 'a',
    cause: new BaseError('middle', { code: 'b', cause: inner }),
  })
  expect(error.walk()).toBe(inner)
  expect(error.walk((cause) => cause instanceof BaseError && cause.code === 'b')).toHaveProperty(
    'shortMessage',
    'middle',
  )
  expect(error.walk((cause) => cause instanceof RangeError)).toBeUndefined()
})
