import type { ChainNamespace } from '@gatefold/protocol'

import type {
  ConnectorContext,
  ConnectorInfo,
  ConnectParameters,
  SessionConnector,
} from '../connection/Connector.ts'
import type { Session, SessionEndReason, SessionState } from '../connection/Session.ts'
import { UserRejectedError } from '../kit/errors.ts'
import { toyAddress } from './toyFamily.ts'

const evmAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/**
 * A test connector whose session serves every configured family.
 *
 * @param info - replaces properties of the connector, such as its view
 */
export function toyConnector(info: Partial<Omit<ConnectorInfo, 'id' | 'chains'>> = {}) {
  let context: ConnectorContext
  let session: Session | undefined
  let state: SessionState
  const listeners = new Set<() => void>()
  const pending: { approve(): void; fail(error: unknown): void }[] = []
  const requests: ConnectParameters[] = []
  const key = 'toy.session'

  function open(): Session {
    const networks = context.allNetworks()
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
      grants: Object.fromEntries(
        (control.granted ?? context.namespaces).map((family) => [family, grantOf(family)]),
      ),
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

  const control = {
    /** The parameters of every `connect` call. */
    requests,
    /** The families that the next session grants; by default, all. */
    granted: undefined as readonly ChainNamespace.ChainNamespace[] | undefined,
    approve: () => pending.at(-1)?.approve(),
    reject: () => pending.at(-1)?.fail(new UserRejectedError()),
    fail: (error: unknown) => pending.at(-1)?.fail(error),
    /** Approves an attempt of an earlier page. */
    approveEarlier: () => context.emit({ type: 'approved', session: open() }),
    /** Shows a view in which the visitor answers a request of the session. @returns a function that closes it */
    prompt: (parameters: Parameters<ConnectorContext['prompt']>[0]) => context.prompt(parameters),
    /** Reports that the site requested a method that the wallet does not serve. */
    block: (method: string) => context.emit({ type: 'blocked', method }),
    /** Reports that the connector's server rejected the site. */
    refuse: (message: string) => context.emit({ type: 'refused', message }),
    /** Ends the session, as a wallet or the expiry would. */
    end,
    /** Removes the accounts of a family from the session. */
    revoke: (namespace: ChainNamespace.ChainNamespace) => control.grant(namespace, []),
    /** Replaces the accounts of a family in the session. */
    grant(namespace: ChainNamespace.ChainNamespace, addresses: readonly string[]) {
      const grant = state.grants[namespace]!
      const caipNetworkId = grant.networkIds[0]!
      const accounts = addresses.map((address) => ({ address, caipNetworkId }))
      state = { ...state, grants: { ...state.grants, [namespace]: { ...grant, accounts } } }
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
        ...info,
        preload: async () => {},
        async connect(parameters) {
          const { signal, onProgress } = parameters
          requests.push(parameters)
          onProgress?.({ type: 'uri', uri: 'toy:1', expiresAt: Infinity })
          await new Promise<void>((resolve, reject) => {
            pending.push({ approve: resolve, fail: reject })
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
  return control
}
