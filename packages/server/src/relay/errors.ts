import { BaseError } from '@gatefold/protocol'
import {
  relayErrorCodes,
  relayErrorPrefixes,
  type RelayErrorKind,
  type RelayErrorTag,
} from '@gatefold/protocol/relay'

/** An error that is sent as the response to a request. */
export class RelayError<Kind extends RelayErrorKind = RelayErrorKind> extends BaseError {
  override name = 'RelayError'
  readonly kind: Kind
  readonly tag: RelayErrorTag<Kind>
  constructor(kind: Kind, tag: RelayErrorTag<Kind>, what: string, cause?: unknown) {
    super(`${relayErrorPrefixes[kind]}: ${what}`, { code: `relay.${kind}`, cause })
    this.kind = kind
    this.tag = tag
  }
}

/** The store failed, or did not make a write durable in time. */
export class RelayStorageError extends RelayError<'internal'> {
  override name = 'RelayStorageError'
  /** Whether the write was never sent to the store. Otherwise it may have taken effect. */
  readonly isUnsent: boolean
  constructor(cause?: unknown, { isUnsent = false } = {}) {
    super('internal', 'StorageError', 'the message store is unavailable', cause)
    this.isUnsent = isUnsent
  }
}

/** Awaits a call to the store. @throws {RelayStorageError} if the call fails for any reason. */
export async function fromStore<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw new RelayStorageError(error)
  }
}

/** The `error` member of a JSON-RPC response. Unexpected errors get a generic message. */
export function toErrorMember(error: unknown): { code: number; message: string; data: string } {
  if (error instanceof RelayError) {
    const { kind, shortMessage, tag } = error as RelayError
    return { code: relayErrorCodes[kind], message: shortMessage, data: tag }
  }
  return {
    code: relayErrorCodes.internal,
    message: `${relayErrorPrefixes.internal}: unexpected error`,
    data: 'Unknown',
  }
}
