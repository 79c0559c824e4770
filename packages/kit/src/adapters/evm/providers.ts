import type { EIP1193Provider } from 'viem'

/**
 * Wraps wallet providers for wagmi and tracks the listeners added to them. wagmi never removes its
 * listeners, so a destroyed instance would otherwise stay attached to the wallets until the page is
 * unloaded.
 */
export type Providers = {
  /** Wraps a provider. A provider always gets the same wrapper. */
  track(provider: EIP1193Provider): EIP1193Provider
  /** Returns the wrapped provider; other values are returned unchanged. */
  original(provider: unknown): unknown
  /** Removes every listener. */
  release(): void
}

type Listener = (...parameters: never[]) => void

export function createProviders(): Providers {
  const views = new WeakMap<object, EIP1193Provider>()
  const originals = new WeakMap<object, EIP1193Provider>()
  const releases = new Set<() => void>()

  function view(provider: EIP1193Provider): EIP1193Provider {
    const attached = new Set<readonly [string, Listener]>()
    const detach = (event: string, listener: Listener) => {
      // Some wallets have `off` instead, a few have neither.
      const remove =
        provider.removeListener ?? (provider as { off?: EIP1193Provider['removeListener'] }).off
      remove?.call(provider, event as 'connect', listener as never)
    }
    releases.add(() => {
      for (const [event, listener] of attached) detach(event, listener)
      attached.clear()
    })
    // Inherits the wallet's flags. Methods are called on the original object, because classes with private
    // fields require it.
    return Object.create(provider, {
      request: { value: (args: never) => provider.request(args) },
      on: {
        value: (event: string, listener: Listener) => {
          attached.add([event, listener])
          provider.on(event as 'connect', listener)
        },
      },
      removeListener: {
        writable: true,
        value: (event: string, listener: Listener) => {
          for (const entry of attached)
            if (entry[0] === event && entry[1] === listener) attached.delete(entry)
          detach(event, listener)
        },
      },
    }) as EIP1193Provider
  }

  return {
    track(provider) {
      const known = views.get(provider)
      if (known) return known
      const created = view(provider)
      views.set(provider, created)
      originals.set(created, provider)
      return created
    },
    original: (provider) =>
      typeof provider === 'object' && provider ? (originals.get(provider) ?? provider) : provider,
    release() {
      for (const release of releases) release()
    },
  }
}
