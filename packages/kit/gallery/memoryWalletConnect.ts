import { BaseError } from '@gatefold/protocol'
import type { Session } from '@gatefold/sign'

import { UserRejectedError } from '../src/core/kit/errors.ts'
import type { WalletConnect, WalletConnectEvent } from '../src/core/walletConnect/WalletConnect.ts'

/** A session as a wallet on a phone would grant it. */
const granted = {
  topic: '00',
  peer: { publicKey: '', metadata: { name: 'Orrery', description: '', url: '', icons: [] } },
  namespaces: {
    eip155: {
      accounts: ['eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
      methods: [],
      events: [],
    },
  },
} as unknown as Session

const hex = (seed: number) =>
  Array.from({ length: 64 }, (_, index) =>
    ((index * 7 + seed * 11 + (index % 5)) % 16).toString(16),
  ).join('')

/** What the wallet-connection protocol would do, with a switch for every outcome. */
export function memoryWalletConnect() {
  const listeners = new Set<(event: WalletConnectEvent) => void>()
  const waiting: { resolve(session: Session): void; reject(error: Error): void }[] = []
  let session: Session | undefined
  const control = {
    /** URIs made so far. */
    uris: [] as string[],
    /** How long a URI is good, in ms. */
    lifetimeMs: 5 * 60_000,
    hang: false,
    /** How often the wallet's app was opened again; undefined: none was opened to connect. */
    reopened: undefined as number | undefined,
    remembered: undefined as { name: string; href: string } | undefined,
    approve: () => waiting.at(-1)?.resolve((session = granted)),
    reject: () => waiting.at(-1)?.reject(new UserRejectedError()),
    /** The wallet answers against the protocol. */
    break: () =>
      waiting.at(-1)?.reject(new BaseError('Invalid settle request', { code: 'sign.peer' })),
    relay: (status: 'connected' | 'offline' | 'refused') => {
      for (const listener of listeners) listener({ type: 'relay', status })
    },
  }
  const reopen = () => void (control.reopened = (control.reopened ?? 0) + 1)
  const walletConnect: WalletConnect = {
    session: () => session,
    remembers: () => false,
    preload: async () => {},
    restore: async () => undefined,
    async propose() {
      if (control.hang) await new Promise(() => {})
      const number = control.uris.length + 1
      const uri = `wc:${hex(number)}@2?expiryTimestamp=1795270000&methods=wc_sessionAuthenticate&relay-protocol=irn&symKey=${hex(number + 100)}`
      control.uris.push(uri)
      return {
        uri,
        expiresAt: Date.now() + control.lifetimeMs,
        approval: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })),
      }
    },
    request: async () => '0x',
    appOpener: () => (control.reopened === undefined ? undefined : reopen),
    rememberApp: (app) => void (control.remembered = app),
    disconnect: async () => void (session = undefined),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    destroy: () => listeners.clear(),
  }
  return Object.assign(control, { walletConnect })
}
