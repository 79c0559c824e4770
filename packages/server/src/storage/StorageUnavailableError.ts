import { BaseError } from '@gatefold/protocol'

/** The database did not answer; HTTP handlers turn it into a 503. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'
  constructor(cause: unknown) {
    super('The database does not answer.', { code: 'storage.unavailable', cause })
  }
}
