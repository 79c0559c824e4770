/**
 * The base of every error Gatefold throws.
 *
 * `code` is a stable word for programs (`modal.closed`), `shortMessage` one sentence for people,
 * `metaMessages` lines that help the developer, `details` what the cause said.
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

  /** The sentence to show a visitor. */
  get userMessage(): string {
    return this.shortMessage
  }

  /**
   * Walks the chain of causes.
   *
   * @returns the first cause that `matches` accepts; without `matches`, the innermost one.
   */
  walk(matches?: (error: unknown) => boolean): unknown {
    let found: unknown = this
    for (let error: unknown = this; error !== undefined; error = (error as Error).cause) {
      if (matches?.(error)) return error
      found = error
      if (!(error instanceof Error)) break
    }
    return matches ? undefined : found
  }
}

// eslint-disable-next-line -- types beside the class they describe
export declare namespace BaseError {
  type Options = {
    code: string
    cause?: unknown
    details?: string
    docsPath?: string
    metaMessages?: readonly string[]
  }
}
