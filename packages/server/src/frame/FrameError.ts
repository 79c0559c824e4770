import { BaseError } from '@gatefold/protocol'
import type { Reason } from '@gatefold/protocol/gateway'

/** Refuses a request to the frame's API. The role converts it to a response. */
export class FrameError extends BaseError {
  override name = 'FrameError'
  readonly status: number
  readonly reason: Reason
  readonly headers: Record<string, string>
  constructor(status: number, reason: Reason, headers: Record<string, string> = {}) {
    super(reason.description, { code: `frame.${reason.code ?? reason.field}` })
    this.status = status
    this.reason = reason
    this.headers = headers
  }
}

/** Refuses a request until some time has passed. */
export function tooMany(
  code: 'too_soon' | 'too_many_codes' | 'too_many_recoveries',
  waitMs: number,
): FrameError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const description = {
    too_soon: 'Wait before you request another code',
    too_many_codes: 'Too many codes were requested',
    too_many_recoveries: 'Too many recoveries in a day',
  }[code]
  return new FrameError(
    429,
    { field: 'email', description: `${description}; try again in ${seconds} s`, code },
    { 'retry-after': String(seconds) },
  )
}
