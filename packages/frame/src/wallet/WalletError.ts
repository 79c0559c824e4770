import { BaseError } from '@gatefold/protocol'

export class WalletError extends BaseError {
  override name = 'WalletError'
  constructor(message: string, code: `frame.${string}`) {
    super(message, { code, docsPath: 'docs/custody.md' })
  }
}

/** The server did not store the recovery share or the methods as they were sent. */
export class MethodsNotStoredError extends WalletError {
  override name = 'MethodsNotStoredError'
  constructor() {
    super('The recovery methods were not stored. Try again.', 'frame.methods_not_stored')
  }
}
