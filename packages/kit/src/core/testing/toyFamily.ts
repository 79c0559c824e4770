import type { Adapter, AdapterContext, AdapterFactory } from '../connection/Adapter.ts'
import type { Connector } from '../connection/Connector.ts'
import { connectionOf } from '../connection/Session.ts'
import type { Session, SessionState } from '../connection/Session.ts'
import { UserRejectedError } from '../kit/errors.ts'
import { NotConnectedError } from '../kit/requestErrors.ts'
import type { NetworkInput } from '../networks/Network.ts'

/**
 * Two chains in a chain family for which the kit has no adapter, with SS58 addresses. @see CAIP-2
 * polkadot
 */
export const toyNetworks = [
  '91b171bb158e2d3848fa23a9f1c25182',
  'b0a8d493285c2df73290dfb7e61f870f',
].map((id, index): NetworkInput => ({
  id,
  name: `Toy ${index + 1}`,
  chainNamespace: 'polkadot',
  nativeCurrency: { name: 'Dot', symbol: 'DOT', decimals: 10 },
  rpcUrls: { default: { http: ['http://localhost:9'] } },
}))
export const toyAddress = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'

type Chain = `polkadot:${string}`

/**
 * A test adapter with one installed wallet and no capabilities. Attaches any session that grants
 * the toy family.
 */
export function toyFamily() {
  const sessions = new Map<string, { session: Session; release: () => void }>()
  let context: AdapterContext
  const control = {
    reject: false,
    hang: false,
    release: () => {},
    factory: undefined as unknown as AdapterFactory,
  }

  const wallet: Connector = {
    id: 'toy.wallet',
    name: 'Toy Wallet',
    type: 'ANNOUNCED',
    chain: 'polkadot',
    async connect({ network, signal }) {
      await Promise.resolve()
      if (control.hang) await new Promise<void>((resolve) => (control.release = resolve))
      if (control.reject) throw new UserRejectedError()
      signal?.throwIfAborted()
      return toySession('toy.wallet', network?.caipNetworkId as Chain | undefined)
    },
    restore: async () => toySession('toy.wallet'),
  }
  const connect = (session: Session, active: boolean) => {
    const connection = connectionOf(session.getState(), 'polkadot')
    if (connection) context.emit({ type: 'connected', connection, active })
    return connection
  }
  const detach = (connectorId: string) => {
    sessions.get(connectorId)?.release()
    if (sessions.delete(connectorId)) context.emit({ type: 'disconnected', connectorId })
  }
  const provider = async (connectorId?: string) => {
    const attached = connectorId ? sessions.get(connectorId) : [...sessions.values()].at(-1)
    if (!attached) throw new NotConnectedError()
    return attached.session.provider('polkadot') as Promise<{
      request(parameters: { method: string; params?: unknown }): Promise<string>
    }>
  }

  const adapter: Adapter = {
    namespace: 'polkadot',
    start: () => context.emit({ type: 'connectors', connectors: [wallet] }),
    preload: async () => {},
    async attach({ session, active }) {
      if (connect(session, active) === undefined) return
      const release = session.subscribe(() => connect(session, false))
      sessions.set(session.connectorId, { session, release })
    },
    detach: ({ connectorId }) => detach(connectorId),
    async disconnect(parameters) {
      for (const id of parameters?.connectorId ? [parameters.connectorId] : sessions.keys())
        detach(id)
    },
    async switchConnection({ connectorId }) {
      context.emit({ type: 'activated', connectorId })
    },
    async switchNetwork({ network: { caipNetworkId } }) {
      if (control.reject) throw new UserRejectedError()
      for (const connectorId of sessions.keys())
        context.emit({ type: 'chainChanged', connectorId, caipNetworkId })
    },
    actions: async () => ({
      getBalance: async () => ({
        balance: '1',
        symbol: 'DOT',
        value: 10_000_000_000n,
        decimals: 10,
      }),
      signMessage: async ({ message }) =>
        (await provider()).request({ method: 'polkadot_signMessage', params: { message } }),
      sendTransaction: async () => '0x',
    }),
    getProvider: (parameters) => provider(parameters?.connectorId),
    destroy() {
      for (const { release } of sessions.values()) release()
    },
  }
  control.factory = {
    namespace: 'polkadot',
    methods: ['polkadot_signMessage'],
    create(made) {
      context = made
      return adapter
    },
  }
  return control
}

/** A session that grants the toy family, by default on its first chain. */
export function toySession(connectorId: string, chain?: Chain): Session {
  const caipNetworkId = chain ?? (`polkadot:${toyNetworks[0]!.id}` as Chain)
  const state: SessionState = {
    id: connectorId,
    connectorId,
    peer: { name: 'Toy Wallet' },
    grants: {
      polkadot: {
        accounts: [{ address: toyAddress, caipNetworkId }],
        networkIds: [caipNetworkId],
        methods: ['polkadot_signMessage'],
      },
    },
    method: 'browser',
  }
  return {
    connectorId,
    getState: () => state,
    provider: async () => ({
      request: async ({ params }: { params?: { message?: string } }) => `signed ${params?.message}`,
    }),
    subscribe: () => () => {},
  }
}
