import { createSignClient } from '@gatefold/sign'
import { createDemoWallet } from '../src/createDemoWallet.ts'
import { demoAccounts } from '../src/demoAccounts.ts'
import { createPhoneWallet, type PhoneWallet } from '../src/phone/createPhoneWallet.ts'
import { phoneName } from './identity.ts'
import type { PageConfig } from './config.ts'

declare global {
  interface Window {
    /** The phone wallet, for tests: controls of keys and faults are in `wallet.controls`. */
    __gatefoldPhone?: PhoneWallet
  }
}

export type OpenWallet = PhoneWallet & { close(): void }

/** Opens the wallet that this browser has: its sessions, its account, its chain. */
export function openWallet({ relayUrl, verifyUrl, projectId, chains }: PageConfig): OpenWallet {
  const { origin } = window.location
  const sign = createSignClient({
    relayUrl,
    verifyUrl,
    projectId,
    storagePrefix: 'gatefold-phone',
    // The wallet has a queue of its own, in which a request that hangs does not hold up the next.
    disableRequestQueue: true,
    metadata: {
      name: phoneName,
      description: 'A demo wallet with public keys, for development.',
      url: origin,
      icons: [`${origin}/icon.svg`],
      redirect: { universal: `${origin}/` },
    },
  })
  // Its key is made or read now, so that it is there when a code is in sight. `ready` says what fails.
  sign.clientId().catch(() => undefined)
  const wallet = createDemoWallet({
    chains,
    accounts: demoAccounts(3, 4),
    name: phoneName,
    rdns: 'dev.gatefold.phone',
    storageKey: 'gatefold.phone.wallet',
  })
  const phone = createPhoneWallet({ sign, wallet, storageKey: 'gatefold.phone' })
  window.__gatefoldPhone = phone
  return Object.assign(phone, {
    close() {
      delete window.__gatefoldPhone
      phone.destroy()
      wallet.destroy()
      void sign.close()
    },
  })
}
