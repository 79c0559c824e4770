import { BaseError } from '@gatefold/protocol'
import { expect, test } from 'vitest'

import * as errors from './errors.ts'

const cause = new TypeError('offline')

test.each<[create: () => BaseError, string, string, unknown]>([
  [() => new errors.NameLabelError('-', 'characters'), 'NameLabelError', 'names.label', undefined],
  [
    () => new errors.NamesUnavailableError(),
    'NamesUnavailableError',
    'names.unavailable',
    undefined,
  ],
  [() => new errors.NameTakenError('mira', { cause }), 'NameTakenError', 'names.taken', cause],
  [() => new errors.TooManyNamesError({ cause }), 'TooManyNamesError', 'names.too_many', cause],
  [() => new errors.NameExpiredError(), 'NameExpiredError', 'names.expired', undefined],
  [() => new errors.NameClockError({ cause }), 'NameClockError', 'names.clock', cause],
  [
    () => new errors.NameSignatureError('0x1', { cause }),
    'NameSignatureError',
    'names.signature',
    cause,
  ],
  [
    () => new errors.NameAccountChangedError(),
    'NameAccountChangedError',
    'names.account_changed',
    undefined,
  ],
])('an error has a stable name and code, and its cause (%#)', (create, name, code, reason) => {
  const error = create()
  expect(error).toBeInstanceOf(BaseError)
  expect({ name: error.name, code: error.code, cause: error.cause }).toEqual({
    name,
    code,
    cause: reason,
  })
})

test('an error for a label says what is wrong with it', () => {
  expect(new errors.NameLabelError('a', 'short').problem).toBe('short')
})
