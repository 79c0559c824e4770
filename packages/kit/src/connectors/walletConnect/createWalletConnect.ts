import { BaseError } from '@gatefold/protocol'

import { NotConnectedError } from '../../core/kitErrors.ts'
import type {
  WalletConnect,
  WalletConnectEvent,
  WalletConnectParameters,
} from '../../core/WalletConnect.ts'
import type { Client } from './createClient.ts'
import { readOffer, readSession } from './readSession.ts'

/**
 * The wallet-connection protocol of one instance. This part is in every page's first load and does
 * no more than remember; the client comes with the first URI, or for a session to be restored.
 */
export function createWalletConnect(parameters: WalletConnectParameters): WalletConnect {
  const listeners = new Set<(event: WalletConnectEvent) => void>()
  const emit = (event: WalletConnectEvent) => {
    for (const listener of listeners) listener(event)
  }
  let client: Client | undefined
  let loading: Promise<Client> | undefined
  let destroyed = false
  let appOpener: (() => void) | undefined
  const onAppOpened = (open: () => void) => {
    appOpener = open
    emit({ type: 'app' })
  }

  function load(): Promise<Client> {
    loading ??= import('./createClient.ts').then(
      ({ createClient }) => {
        client = createClient({ ...parameters, onAppOpened }, emit)
        if (destroyed) client.destroy()
        return client
      },
      (cause: unknown) => {
        // A page older than its deployment, a lost connection: the next try may do better.
        loading = undefined
        throw new BaseError('A part of the wallet connection could not be loaded', {
          code: 'kit.part_not_loaded',
          cause,
        })
      },
    )
    return loading
  }
  const remembers = () => Boolean(readSession(parameters) ?? readOffer(parameters))

  return {
    session: () => client?.session(),
    remembers,
    async preload() {
      await load()
    },
    async restore() {
      return remembers() ? (await load()).restore() : undefined
    },
    propose: async (options) => (await load()).propose(options),
    async request(request) {
      if (!client) throw new NotConnectedError()
      appOpener = undefined
      return client.request(request)
    },
    appOpener: () => appOpener,
    rememberApp: (app) => client?.rememberApp(app),
    async disconnect() {
      if (client ?? remembers()) await (await load()).disconnect()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    destroy() {
      destroyed = true
      listeners.clear()
      client?.destroy()
    },
  }
}
