import type { Controls } from './createControls.ts'
import { createDemoWallet, type DemoWallet } from './createDemoWallet.ts'
import { createWindow } from './window/createWindow.ts'

declare global {
  interface Window {
    /** Controls of the installed demo wallets, by rdns. Set by `installDemoWallet`. */
    __gatefoldWallets?: Record<string, Controls>
    ethereum?: unknown
  }
}

/**
 * Key of the global that holds the installed wallets, so that running the script twice installs each
 * wallet once.
 */
const installedKey = Symbol.for('gatefold.demo-wallets')
type Page = { [installedKey]?: Map<string, DemoWallet> }

/**
 * Installs a demo wallet in this page: announces it, keeps its state across reloads, renders its
 * window, and exposes its controls as `window.__gatefoldWallets[rdns]`.
 *
 * Browsers only, for development. If a wallet with that rdns is already installed, returns that one
 * and ignores the options.
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

  const installedWallet: DemoWallet = {
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
  installed.set(rdns, installedWallet)
  return installedWallet
}

export declare namespace installDemoWallet {
  type Options = createDemoWallet.Options & {
    /** CSS color of the window; navy by default. */
    accent?: string
    /** `'auto'`, the default, follows the system. */
    theme?: 'light' | 'dark' | 'auto'
    /** Also sets `window.ethereum`. */
    legacy?: boolean
  }
}
