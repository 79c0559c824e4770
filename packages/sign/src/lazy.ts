import { LoadError } from './errors.ts'

/**
 * Creates a function that loads a chunk on demand.
 *
 * @param load - `() => import('./chunk.ts')`
 * @returns a function that rejects with a `LoadError` if the chunk cannot be loaded; its next call retries
 */
export function lazy<module>(load: () => Promise<module>): () => Promise<module> {
  return async () => {
    try {
      return await load()
    } catch (cause) {
      throw new LoadError(cause)
    }
  }
}
