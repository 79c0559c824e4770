import { type Controls, createDemoWallet, type DemoWallet } from './createDemoWallet.ts'
import { createWindow } from './window/createWindow.ts'

declare global {
  interface Window {
    /** Controls of the installed demo wallets by rdns. There only once `installDemoWallet` ran. */
    __gatefoldWallets?: Record<string, Controls>
    ethereum?: unknown
  }
}

/**
 * Puts a demo wallet into this page: announces it, remembers it across reloads, draws its window,
 * and leaves its controls in `window.__gatefoldWallets[rdns]`.
 *
 * Call it in a browser, in development only. A second wallet of the same rdns takes the place of
 * the first.
 *
 * @example
 * installDemoWallet({ chains: [{ id: 31337, rpcUrl: 'http://localhost:8545', name: 'Local' }] })
 */
export function installDemoWallet(options: installDemoWallet.Options): DemoWallet {
  const { accent = '#1e3a5f', theme = 'auto', legacy = false, ...rest } = options
  const storageKey = options.storageKey ?? `gatefold.wallet.${options.rdns ?? 'halyard'}`
  const wallet = createDemoWallet({ ...rest, storageKey })
  const { info, controls, provider } = wallet
  // oxlint-disable-next-line no-underscore-dangle -- the documented global, named to be nobody else's
  const registry = (window.__gatefoldWallets ??= {})
  const slot = Object.keys(registry).filter((rdns) => rdns !== info.rdns).length
  registry[info.rdns] = controls
  if (legacy) window.ethereum = provider
  const isFirst = () =>
    Object.keys(registry)[0] === info.rdns &&
    !Object.values(registry).some(({ pending }) => pending.some(({ hung }) => !hung))
  const closeWindow = createWindow({ info, controls, accent, theme, isFirst, slot })
  wallet.announce()

  return {
    ...wallet,
    destroy() {
      closeWindow()
      if (registry[info.rdns] === controls) delete registry[info.rdns]
      if (legacy && window.ethereum === provider) delete window.ethereum
      wallet.destroy()
    },
  }
}

export declare namespace installDemoWallet {
  type Options = createDemoWallet.Options & {
    /** CSS colour of the window. Navy by default. */
    accent?: string
    /** Follows the system by default, as an extension does. */
    theme?: 'light' | 'dark' | 'auto'
    /** Also takes the old place, `window.ethereum`. */
    legacy?: boolean
  }
}
