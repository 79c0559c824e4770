/**
 * The base class of Gatefold's errors.
 *
 * `code` is a stable identifier for programs (`modal.closed`). `shortMessage` is one sentence for
 * people. `metaMessages` are hints for the developer. `details` is by default the message of the cause.
 */
export class BaseError extends Error {
  override name = 'GatefoldError'
  readonly code: string
  readonly shortMessage: string
  readonly metaMessages: readonly string[]
  readonly details: string | undefined
  readonly docsPath: string | undefined

  constructor(shortMessage: string, options: BaseError.Options) {
    const details =
      options.details ?? (options.cause instanceof Error ? options.cause.message : undefined)
    super(
      [
        shortMessage,
        ...(options.metaMessages ?? []),
        ...(details && details !== shortMessage ? [`Details: ${details}`] : []),
      ].join('\n'),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.code = options.code
    this.shortMessage = shortMessage
    this.metaMessages = options.metaMessages ?? []
    this.details = details
    this.docsPath = options.docsPath
  }

  /** The message to show to visitors. */
  get userMessage(): string {
    return this.shortMessage
  }

  /**
   * Walks the chain of causes, starting with this error.
   *
   * @returns the first error that `matches` accepts; without `matches`, the innermost cause.
   */
  walk(matches?: (error: unknown) => boolean): unknown {
    return walk(this, matches)
  }
}

function walk(error: unknown, matches?: (error: unknown) => boolean): unknown {
  if (matches?.(error)) return error
  const cause = error instanceof Error ? error.cause : undefined
  if (cause !== undefined) return walk(cause, matches)
  return matches ? undefined : error
}

export declare namespace BaseError {
  type Options = {
    code: string
    cause?: unknown
    details?: string
    docsPath?: string
    metaMessages?: readonly string[]
  }
}
