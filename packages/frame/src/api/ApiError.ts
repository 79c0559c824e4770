import { BaseError } from '@gatefold/protocol'

/** The server refused a request, or did not respond. */
export class ApiError extends BaseError {
  override name = 'ApiError'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** The code of the refusal, such as `code_wrong`. */
  readonly reason: string | undefined
  /** Seconds after which the server accepts the request. */
  readonly waitSeconds: number | undefined

  constructor(parameters: {
    status: number
    reason?: string | undefined
    waitSeconds?: number | undefined
    description: string
    cause?: unknown
  }) {
    super(parameters.description, {
      code: parameters.status === 0 ? 'frame.offline' : 'frame.api',
      cause: parameters.cause,
    })
    this.status = parameters.status
    this.reason = parameters.reason
    this.waitSeconds = parameters.waitSeconds
  }
}
