import { BaseError } from '@gatefold/protocol'
import type { Reason } from './Session.ts'

/** What the caller gave does not fit, or names what is not there. @see spec §5.12, §8.9 */
export class ValidationError extends BaseError {
  override name = 'ValidationError'
  constructor(message: string, code: ValidationError.Code = 'sign.missing_or_invalid') {
    super(message, { code, docsPath })
  }
}

export declare namespace ValidationError {
  type Code =
    | 'sign.missing_or_invalid'
    | 'sign.no_matching_key'
    | 'sign.recently_deleted'
    | 'sign.not_initialized'
    | 'sign.non_conforming_namespaces'
    | 'sign.unsupported'
    | 'sign.unauthorized'
    | 'sign.pairing_exists'
}

/** Too late: a session, a pairing, a proposal or a request is over. */
export class ExpiredError extends BaseError {
  override name = 'ExpiredError'
  constructor(message: string) {
    super(message, { code: 'sign.expired', docsPath })
  }
}

/** What the other side answered. `reason.code` says what it was; 5000 to 5003 are a visitor's no. */
export class PeerError extends BaseError {
  override name = 'PeerError'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.message, { code: 'sign.peer', docsPath })
    this.reason = reason
  }
}

/** The relay cannot be used, or did not take a message in time. */
export class RelayError extends BaseError {
  override name = 'RelayError'
  constructor(message: string, options: { cause?: unknown; details?: string } = {}) {
    super(message, { code: 'sign.relay', docsPath, ...options })
  }
}

/** A part of this client that is loaded when it is needed did not come: offline, or a new build. */
export class LoadError extends BaseError {
  override name = 'LoadError'
  constructor(cause?: unknown) {
    super('A part of the sign client could not be loaded.', {
      code: 'sign.not_loaded',
      cause,
      metaMessages: ['Nothing is lost: load the page again.'],
      docsPath,
    })
  }
}

const docsPath = 'docs/sign.md#errors'

/** An error as plain JSON, as it goes from one tab to another. */
export type ErrorData = {
  name: string
  code: string
  message: string
  details?: string | undefined
  reason?: Reason | undefined
}

/** @see toError */
export function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof BaseError))
    return { name: 'Error', code: 'sign.unknown', message: String(error) }
  return {
    name: error.name,
    code: error.code,
    message: error.shortMessage,
    ...(error.details ? { details: error.details } : {}),
    ...(error instanceof PeerError ? { reason: error.reason } : {}),
  }
}

/** The error that `toErrorData` was given, of the same class. */
export function toError(data: ErrorData): BaseError {
  if (data.reason) return new PeerError(data.reason)
  if (data.name === 'ExpiredError') return new ExpiredError(data.message)
  if (data.name === 'RelayError')
    return new RelayError(data.message, data.details ? { details: data.details } : {})
  if (data.name === 'ValidationError')
    return new ValidationError(data.message, data.code as ValidationError.Code)
  if (data.name === 'LoadError') return new LoadError()
  return new BaseError(data.message, {
    code: data.code,
    docsPath,
    ...(data.details ? { details: data.details } : {}),
  })
}
