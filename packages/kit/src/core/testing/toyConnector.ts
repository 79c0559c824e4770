import type { ChainNamespace } from '@gatefold/protocol'

import type { ConnectorContext, SessionConnector } from '../connection/Connector.ts'
import type { Session, SessionEndReason, SessionState } from '../connection/Session.ts'
import { UserRejectedError } from '../kit/errors.ts'
import { toyAddress } from './toyFamily.ts'

const evmAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A test connector whose session serves every configured family. */
export function toyConnector() {
  let context: ConnectorContext
  let session: Session | undefined
  let state: SessionState
  const listeners = new Set<() => void>()
  const pending: { approve(): void; reject(): void }[] = []
  const key = 'toy.session'

  function open(): Session {
    const networks = context.networks()
    const grantOf = (namespace: ChainNamespace.ChainNamespace) => {
      const ids = networks
        .filter(({ chainNamespace }) => chainNamespace === namespace)
        .map(({ caipNetworkId }) => caipNetworkId)
      const address = namespace === 'polkadot' ? toyAddress : evmAddress
      return {
        accounts: ids.map((caipNetworkId) => ({ address, caipNetworkId })),
        networkIds: ids,
        methods: context.methods(namespace) ?? [],
      }
    }
    state = {
      id: 'toy',
      connectorId: 'toy.relay',
      peer: { name: 'Toy Phone' },
      grants: Object.fromEntries(context.namespaces.map((family) => [family, grantOf(family)])),
      method: 'qrcode',
    }
    context.storage.setItem(key, '1')
    session = {
      connectorId: 'toy.relay',
      getState: () => state,
      provider: async () => ({
        request: async ({ params }: { params?: { message?: string } }) =>
          `signed ${params?.message}`,
      }),
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
    return session
  }

  function end(reason: SessionEndReason): void {
    session = undefined
    context.storage.removeItem(key)
    context.emit({ type: 'ended', connectorId: 'toy.relay', reason })
    for (const listener of listeners) listener()
  }

  return {
    approve: () => pending.at(-1)?.approve(),
    reject: () => pending.at(-1)?.reject(),
    /** Ends the session, as a wallet or the expiry would. */
    end,
    /** Removes the accounts of a family from the session. */
    revoke(namespace: ChainNamespace.ChainNamespace) {
      const grant = state.grants[namespace]!
      state = { ...state, grants: { ...state.grants, [namespace]: { ...grant, accounts: [] } } }
      context.emit({ type: 'changed', session: session! })
      for (const listener of listeners) listener()
    },
    factory: (made: ConnectorContext): SessionConnector => {
      context = made
      return {
        id: 'toy.relay',
        name: 'Toy Relay',
        type: 'EXTERNAL',
        chain: context.namespaces[0]!,
        chains: context.namespaces,
        preload: async () => {},
        async connect({ signal, onProgress }) {
          onProgress?.({ type: 'uri', uri: 'toy:1', expiresAt: Infinity })
          await new Promise<void>((resolve, reject) => {
            pending.push({ approve: resolve, reject: () => reject(new UserRejectedError()) })
            signal?.addEventListener('abort', () => reject(signal.reason as Error))
          })
          const made = open()
          context.emit({ type: 'changed', session: made })
          return made
        },
        async restore() {
          if (!context.storage.getItem(key)) return undefined
          const restored = session ?? open()
          context.emit({ type: 'changed', session: restored })
          return restored
        },
        async disconnect() {
          if (session || context.storage.getItem(key)) end('site')
        },
        destroy: () => {},
      }
    },
  }
}
