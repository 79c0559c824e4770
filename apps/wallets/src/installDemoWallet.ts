import type { Controls } from './createControls.ts'
import { createDemoWallet, type DemoWallet } from './createDemoWallet.ts'
import { createWindow } from './window/createWindow.ts'

declare global {
  interface Window {
    /** Controls of the installed demo wallets by rdns. There only once `installDemoWallet` ran. */
    __gatefoldWallets?: Record<string, Controls>
    ethereum?: unknown
  }
}

/** Where a page keeps its installed wallets, so that a script that runs twice installs one. */
const installedKey = Symbol.for('gatefold.demo-wallets')
type Page = { [installedKey]?: Map<string, DemoWallet> }

/**
 * Puts a demo wallet into this page: announces it, remembers it across reloads, draws its window,
 * and leaves its controls in `window.__gatefoldWallets[rdns]`.
 *
 * Call it in a browser, in development only. Where a wallet of that rdns is installed already, that
 * one is answered and the options are not looked at: a page must not see two of it.
 *
 * @example
 * installDemoWallet({ chains: [{ id: 31337, rpcUrl: 'http://localhost:8545', name: 'Local' }] })
 */
export function installDemoWallet(options: installDemoWallet.Options): DemoWallet {
  const { accent = '#1e3a5f', theme = 'auto', legacy = false, ...rest } = options
  const rdns = options.rdns ?? 'dev.gatefold.halyard'
  const installed = ((window as Page)[installedKey] ??= new Map())
  const present = installed.get(rdns)
  if (present) return present

  const wallet = createDemoWallet({
    ...rest,
    rdns,
    storageKey: options.storageKey ?? `gatefold.wallet.${rdns}`,
  })
  const { info, controls, provider } = wallet
  const registry = (window.__gatefoldWallets ??= {})
  const slot = installed.size
  registry[rdns] = controls
  if (legacy) window.ethereum = provider
  const isFirst = () =>
    Object.keys(registry)[0] === rdns &&
    !Object.values(registry).some(({ pending }) => pending.some(({ hung }) => !hung))
  const closeWindow = createWindow({ info, controls, accent, theme, isFirst, slot })
  wallet.announce()

  const mine: DemoWallet = {
    ...wallet,
    destroy() {
      closeWindow()
      installed.delete(rdns)
      delete registry[rdns]
      if (!installed.size) delete window.__gatefoldWallets
      if (legacy && window.ethereum === provider) delete window.ethereum
      wallet.destroy()
    },
  }
  installed.set(rdns, mine)
  return mine
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
