import { BaseError } from '@gatefold/protocol'

/** The database did not answer a request that needs it. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'
  constructor(cause: unknown) {
    super('The database does not answer.', { code: 'storage.unavailable', cause })
  }
}
