import { TransactionError } from '../../kit/requestErrors.ts'

/** The wallet sent a second transaction instead of replacing the pending one. */
export class NotReplacedError extends TransactionError {
  override name = 'NotReplacedError'
}
