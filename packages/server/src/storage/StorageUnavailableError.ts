import { BaseError } from '@gatefold/protocol'

/** The database is unavailable. HTTP handlers turn this error into a 503. */
export class StorageUnavailableError extends BaseError {
  override name = 'StorageUnavailableError'
  constructor(cause: unknown) {
    super('The database is unavailable.', { code: 'storage.unavailable', cause })
  }
}
