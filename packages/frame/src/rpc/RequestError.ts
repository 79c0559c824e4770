import { BaseError } from '@gatefold/protocol'

/** A request of the page is invalid or not allowed. */
export class RequestError extends BaseError {
  override name = 'RequestError'
  constructor(message: string) {
    super(message, { code: 'frame.request' })
  }
}
