import { BaseError } from '@gatefold/protocol'
import type { Session } from '@gatefold/sign'

import { createClient } from '../src/connectors/walletConnect/createClient.ts'
import type { Sign } from '../src/connectors/walletConnect/createClient.ts'
import { walletConnect } from '../src/connectors/walletConnect/walletConnect.ts'
import type { ConnectorFactory } from '../src/core/connection/Connector.ts'

/** A session approved by a phone wallet. */
const granted = {
  topic: '00',
  pairingTopic: '',
  expiry: 4_000_000_000,
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

/**
 * The WalletConnect connector with a mock protocol client. The returned object selects the outcome of an
 * attempt.
 */
export function memoryWalletConnect() {
  const listeners = new Map<string, ((event: unknown) => void)[]>()
  const pending: { resolve(session: Session): void; reject(error: Error): void }[] = []
  const sessions: Session[] = []
  const emit = (name: string, event: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(event)
  }
  const control = {
    /** The URIs created so far. */
    uris: [] as string[],
    /** When each of them was created, in Unix time in ms. */
    createdAt: [] as number[],
    /** Lifetime of a URI in ms. */
    lifetimeMs: 5 * 60_000,
    hang: false,
    /** The stored wallet app, which is opened for the session's requests. */
    app: () => {
      const text = control.storage?.getItem('WALLETCONNECT_DEEPLINK_CHOICE')
      return text ? (JSON.parse(text) as { name: string; href: string }) : undefined
    },
    storage: undefined as { getItem(key: string): string | null } | undefined,
    approve: () => {
      sessions.push(granted)
      pending.at(-1)?.resolve(granted)
    },
    reject: () =>
      pending
        .at(-1)
        ?.reject(Object.assign(new Error('Rejected'), { reason: { code: 5000, message: '' } })),
    /** Makes the wallet violate the protocol. */
    break: () =>
      pending.at(-1)?.reject(new BaseError('Invalid settle request', { code: 'sign.peer' })),
    relay: (status: 'connected' | 'offline' | 'refused') => emit('relay', { status }),
    /** Simulates a request sent in the session. */
    sent: (method: string) =>
      emit('session_request_sent', { id: 1, topic: granted.topic, method, chainId: 'eip155:1' }),
    factory: undefined as unknown as ConnectorFactory,
  }
  const sign = {
    ready: async () => {},
    sessions: () => sessions,
    on(name: string, listener: (event: unknown) => void) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
      return () => {}
    },
    async connect() {
      if (control.hang) await new Promise(() => {})
      const number = control.uris.length + 1
      const uri = `wc:${hex(number)}@2?expiryTimestamp=1795270000&methods=wc_sessionAuthenticate&relay-protocol=irn&symKey=${hex(number + 100)}`
      control.uris.push(uri)
      control.createdAt.push(Date.now())
      return {
        uri,
        expiresAt: Date.now() + control.lifetimeMs,
        approval: () => new Promise((resolve, reject) => pending.push({ resolve, reject })),
      }
    },
    request: async () => '0x',
    disconnect: async () => void sessions.splice(0),
    close: async () => {},
  } as unknown as Sign
  control.factory = (context) => {
    control.storage = context.storage
    return walletConnect(context, async () => ({
      createClient: (inner) => createClient(inner, sign),
    }))
  }
  return control
}
