import { lazy } from '../core/kit/lazy.ts'

/** A connector's client, loaded and created on first use. */
export type LazyClient<client> = {
  /** Runs a function with the client. */
  use<result>(run: (client: client) => Promise<result>): Promise<result>
  /** The client, if it is created. */
  current(): client | undefined
  /** Destroys the client, even if it is still loading. */
  destroy(): void
}

/** @param load - loads the function that creates the client */
export function lazyClient<client extends { destroy(): void }>(
  load: () => Promise<() => client>,
): LazyClient<client> {
  let client: client | undefined
  let isDestroyed = false
  const loaded = lazy(load)
  return {
    use: (run) =>
      loaded(async (create) => {
        client ??= create()
        if (isDestroyed) client.destroy()
        return run(client)
      }),
    current: () => client,
    destroy() {
      isDestroyed = true
      client?.destroy()
    },
  }
}
