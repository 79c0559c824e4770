import { BaseError } from '@gatefold/protocol'
import type { Reason } from './Session.ts'

/** Invalid parameters, or an id or topic that does not exist. @see spec §5.12, §8.9 */
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

/** A session, pairing, proposal or request has expired. */
export class ExpiredError extends BaseError {
  override name = 'ExpiredError'
  constructor(message: string) {
    super(message, { code: 'sign.expired', docsPath })
  }
}

/**
 * The peer responded with an error, or the session ended before the peer responded (`reason.code` 6000). A code
 * from 5000 to 5003 means that the user rejected.
 */
export class PeerError extends BaseError {
  override name = 'PeerError'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.message, { code: 'sign.peer', docsPath })
    this.reason = reason
  }
}

/** The relay is unavailable, refuses this client, or did not store a message in time. */
export class RelayError extends BaseError {
  override name = 'RelayError'
  constructor(message: string, options: { cause?: unknown; details?: string } = {}) {
    super(message, { code: 'sign.relay', docsPath, ...options })
  }
}

/** A lazy chunk could not be loaded: the page is offline, or a new build has replaced its files. */
export class LoadError extends BaseError {
  override name = 'LoadError'
  constructor(cause?: unknown) {
    super('A chunk of the sign client could not be loaded.', {
      code: 'sign.not_loaded',
      cause,
      metaMessages: ['Reload the page. No data is lost.'],
      docsPath,
    })
  }
}

const docsPath = 'docs/sign.md#errors'

/** An error as JSON, for other tabs. */
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

/** Restores an error from `toErrorData`, with its class if the class is one of this module. */
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
