import { BaseError } from '@gatefold/protocol'
import {
  relayErrorCodes,
  relayErrorPrefixes,
  type RelayErrorKind,
  type RelayErrorTag,
} from '@gatefold/protocol/relay'

/** A request that is answered with an error. */
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

/** The database or the bus did not make a write durable in time. */
export class RelayStorageError extends RelayError<'internal'> {
  override name = 'RelayStorageError'
  constructor(cause?: unknown) {
    super('internal', 'StorageError', 'the message store does not answer', cause)
  }
}

/** What is asked of a database or the bus. @throws {RelayStorageError} whatever goes wrong there. */
export async function fromStore<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    throw new RelayStorageError(error)
  }
}

/** The `error` member of a JSON-RPC answer; what is not ours is told without its words. */
export function toErrorMember(error: unknown): { code: number; message: string; data: string } {
  if (error instanceof RelayError) {
    const { kind, shortMessage, tag } = error as RelayError
    return { code: relayErrorCodes[kind], message: shortMessage, data: tag }
  }
  return {
    code: relayErrorCodes.internal,
    message: `${relayErrorPrefixes.internal}: something failed here`,
    data: 'Unknown',
  }
}
