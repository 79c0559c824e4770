import type { EIP1193Provider } from 'viem'

/**
 * Providers of wallets as the adapter hands them to wagmi: the same wallet, but what is attached to
 * it is remembered. wagmi listens to every wallet it meets and has no way to stop, so without this
 * a destroyed instance would stay attached to the visitor's wallets for as long as the page lives.
 */
export type Providers = {
  /** The remembered view of a provider; one for each. */
  track(provider: EIP1193Provider): EIP1193Provider
  /** The wallet's own object behind a view; anything else comes back as it is. */
  original(provider: unknown): unknown
  /** Takes off every listener. */
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
      // Some wallets name it `off`, a few have neither.
      const remove =
        provider.removeListener ?? (provider as { off?: EIP1193Provider['removeListener'] }).off
      remove?.call(provider, event as 'connect', listener as never)
    }
    releases.add(() => {
      for (const [event, listener] of attached) detach(event, listener)
      attached.clear()
    })
    // Inherits the wallet's flags; the three methods run on the wallet's own object, since
    // a provider with private fields works on no other.
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
