import { BaseError } from '@gatefold/protocol'

/**
 * A module that is loaded on first use. Once it is loaded, `use` runs synchronously, so that a click reaches
 * the wallet before the next frame. A failed load (an outdated page, no network) is retried on the next use.
 */
export function lazy<module>(load: () => Promise<module>): Lazy<module> {
  let loaded: module | undefined
  let loading: Promise<module> | undefined
  return (use) => {
    if (loaded) return use(loaded)
    loading ??= load().then(
      (module) => (loaded = module),
      (cause: unknown) => {
        loading = undefined
        throw new BaseError('Part of the wallet connection failed to load', {
          code: 'kit.chunk_not_loaded',
          cause,
        })
      },
    )
    return loading.then(use)
  }
}

export type Lazy<module> = <result>(use: (module: module) => Promise<result>) => Promise<result>
