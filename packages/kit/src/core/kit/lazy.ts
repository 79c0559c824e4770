import { BaseError } from '@gatefold/protocol'

/**
 * A part that is loaded on first use.
 * Once loaded it runs in the same breath, so that a click reaches the wallet within its frame;
 * a load that failed (a page older than its deployment, a lost connection) is tried again next time.
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
        throw new BaseError('A part of the wallet connection could not be loaded', {
          code: 'kit.part_not_loaded',
          cause,
        })
      },
    )
    return loading.then(use)
  }
}

export type Lazy<module> = <result>(use: (module: module) => Promise<result>) => Promise<result>
