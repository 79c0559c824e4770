import { NotConnectedError } from '../../core/kit/kitErrors.ts'
import { lazy } from '../../core/kit/lazy.ts'
import type {
  WalletConnect,
  WalletConnectEvent,
  WalletConnectParameters,
} from '../../core/walletConnect/WalletConnect.ts'
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
  let destroyed = false
  const load = lazy(() => import('./createClient.ts'))
  const withClient = <result>(use: (client: Client) => Promise<result>) =>
    load(async ({ createClient }) => {
      client ??= createClient(parameters, emit)
      if (destroyed) client.destroy()
      return use(client)
    })
  const remembers = () => Boolean(readSession(parameters) ?? readOffer(parameters))

  return {
    session: () => client?.session(),
    remembers,
    preload: () => withClient(async () => {}),
    restore: async () => (remembers() ? withClient((it) => it.restore()) : undefined),
    propose: (options) => withClient((it) => it.propose(options)),
    async request(request) {
      if (!client) throw new NotConnectedError()
      return client.request(request)
    },
    appOpener: () => client?.appOpener(),
    rememberApp: (app) => client?.rememberApp(app),
    async disconnect() {
      if (client ?? remembers()) await withClient((it) => it.disconnect())
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
