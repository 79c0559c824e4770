import { StorageUnavailableError } from './StorageUnavailableError.ts'

/** Turns the error of a failed query into `StorageUnavailableError`, which gets a 503. */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new StorageUnavailableError(error)
  }
}
