import { createSignClient } from '@gatefold/sign'
import { createDemoWallet } from '../src/createDemoWallet.ts'
import { demoAccounts } from '../src/demoAccounts.ts'
import { createPhoneWallet, type PhoneWallet } from '../src/phone/createPhoneWallet.ts'
import { phoneName } from './identity.ts'
import type { PageConfig } from './config.ts'

declare global {
  interface Window {
    /** The phone wallet, for tests. */
    __gatefoldPhone?: PhoneWallet
  }
}

export type OpenWallet = PhoneWallet & { close(): void }

/** Opens this browser's wallet with its stored sessions, account and chain. */
export function openWallet({ relayUrl, verifyUrl, projectId, chains }: PageConfig): OpenWallet {
  const { origin } = window.location
  const sign = createSignClient({
    relayUrl,
    verifyUrl,
    projectId,
    storagePrefix: 'gatefold-phone',
    // The wallet queues requests itself, so that a hanging request does not block the next one.
    disableRequestQueue: true,
    metadata: {
      name: phoneName,
      description: 'A demo wallet with public keys, for development.',
      url: origin,
      icons: [`${origin}/icon.svg`],
      redirect: { universal: `${origin}/` },
    },
  })
  // Creates or reads the client's key before the first pairing. `ready` reports errors.
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
