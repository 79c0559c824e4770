import { BaseError } from '@gatefold/protocol'
import { expect, test } from 'vitest'

import { InvalidDecimalsError, InvalidNumberError } from './decimal.ts'
import { DivisionByZeroError } from './divide.ts'
import { NotReplacedError } from './pending/NotReplacedError.ts'
import * as swap from './swap/errors.ts'
import { IncompleteTransferError } from './transfer.ts'

const cause = new TypeError('offline')

test.each<[create: () => BaseError, string, string, object]>([
  [
    () => new InvalidNumberError({ details: 'a' }),
    'InvalidNumberError',
    'money.invalid_number',
    { details: 'a' },
  ],
  [() => new DivisionByZeroError(), 'DivisionByZeroError', 'money.division_by_zero', {}],
  [() => new InvalidDecimalsError(78), 'InvalidDecimalsError', 'money.invalid_decimals', {}],
  [
    () => new IncompleteTransferError('no token'),
    'IncompleteTransferError',
    'money.incomplete_transfer',
    { shortMessage: 'no token' },
  ],
  [
    () => new NotReplacedError('sent twice', { cause }),
    'NotReplacedError',
    'chain.transaction_failed',
    { shortMessage: 'sent twice', cause },
  ],
  [
    () => new swap.UnsafeTransactionError('the value', 'Look there.'),
    'UnsafeTransactionError',
    'swap.unsafe_transaction',
    {
      shortMessage: expect.stringContaining('the value') as unknown,
      message: expect.stringContaining('Look there.') as unknown,
    },
  ],
  [() => new swap.PriceMovedError({ cause }), 'PriceMovedError', 'swap.price_moved', { cause }],
  [() => new swap.SwapChangedError(), 'SwapChangedError', 'swap.changed', {}],
  [() => new swap.SwapRevertedError('no'), 'SwapRevertedError', 'swap.reverted', { details: 'no' }],
  [
    () => new swap.SwapNotIncludedError('dropped'),
    'SwapNotIncludedError',
    'swap.not_included',
    { details: 'dropped' },
  ],
  [() => new swap.PermitSignerError(), 'PermitSignerError', 'swap.permit_signer', {}],
])(
  'an error has a stable name and code, and contains the known details (%#)',
  (create, name, code, more) => {
    const error = create()
    expect(error).toBeInstanceOf(BaseError)
    expect(error).toMatchObject({ name, code, ...more })
  },
)
