import { demoAccounts } from './demoAccounts.ts'
import type { DemoWallet } from './createDemoWallet.ts'
import { halyardIcon, nacreIcon } from './icons.ts'
import { installDemoWallet } from './installDemoWallet.ts'

/** Options of the two preset wallets. Halyard has two accounts, Nacre one. */
export const presetWallets = {
  halyard: {
    name: 'Halyard',
    rdns: 'dev.gatefold.halyard',
    icon: halyardIcon,
    accent: '#1e3a5f',
    accounts: demoAccounts(0, 1),
  },
  nacre: {
    name: 'Nacre',
    rdns: 'dev.gatefold.nacre',
    icon: nacreIcon,
    accent: '#7a5ea3',
    accounts: demoAccounts(2),
  },
} as const

export type PresetWallet = keyof typeof presetWallets

/**
 * Installs the two preset wallets, Halyard and Nacre, in this page.
 *
 * @example
 * installDemoWallets({ chains: [{ id: 31337, rpcUrl: 'http://localhost:8545', name: 'Local' }] })
 */
export function installDemoWallets(
  options: installDemoWallets.Options,
): Partial<Record<PresetWallet, DemoWallet>> {
  const { wallets = ['halyard', 'nacre'], accounts = {}, legacy, ...rest } = options
  return Object.fromEntries(
    wallets.map((name) => [
      name,
      installDemoWallet({
        ...rest,
        ...presetWallets[name],
        accounts: accounts[name] ?? presetWallets[name].accounts,
        legacy: legacy === name,
      }),
    ]),
  )
}

export declare namespace installDemoWallets {
  type Options = Pick<
    installDemoWallet.Options,
    'chains' | 'approval' | 'faults' | 'theme' | 'storage'
  > & {
    /** The wallets to install; both by default. */
    wallets?: readonly PresetWallet[]
    /** Private keys to use instead of the presets'. */
    accounts?: Partial<Record<PresetWallet, installDemoWallet.Options['accounts']>>
    /** The wallet that also sets `window.ethereum`; none by default. */
    legacy?: PresetWallet
  }
}
