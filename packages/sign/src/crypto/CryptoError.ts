import { BaseError } from '@gatefold/protocol'

/** A key is invalid or missing, or a message cannot be decrypted. The receiver drops such a message. */
export class CryptoError extends BaseError {
  override name = 'CryptoError'
  constructor(message: string, code: CryptoError.Code, cause?: unknown) {
    super(message, { code, cause, docsPath: 'docs/sign.md#errors' })
  }
}

export declare namespace CryptoError {
  type Code = 'sign.bad_key' | 'sign.no_key' | 'sign.unknown_envelope' | 'sign.unreadable_envelope'
}
