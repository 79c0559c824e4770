import { BaseError } from '@gatefold/protocol'

/** Wrong command or arguments; the exit code is 2. */
export class UsageError extends BaseError {
  override name = 'UsageError'
  constructor(message: string) {
    super(message, { code: 'cli.usage', metaMessages: ['Try gatefold --help.'] })
  }
}
