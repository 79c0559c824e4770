import { BaseError } from '@gatefold/protocol'

/** The command or its arguments are wrong; the exit code is 2. */
export class UsageError extends BaseError {
  override name = 'UsageError'
  constructor(message: string) {
    super(message, { code: 'cli.usage' })
  }
}
