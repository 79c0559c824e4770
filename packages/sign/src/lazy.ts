import { LoadError } from './errors.ts'

/**
 * A function that loads a chunk on demand.
 *
 * @param load - `() => import('./chunk.ts')`
 * @returns rejects with a `LoadError` when the chunk cannot be loaded; the next call retries.
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
