import type { ChainNamespace } from '@gatefold/protocol'
import { approvalRpcMethods, safeRpcMethods, type UserReply } from '@gatefold/protocol/frame'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { ProviderRpcError } from '../../core/connection/ProviderRpcError.ts'
import type { Session, SessionState } from '../../core/connection/Session.ts'
import { NotConnectedError } from '../../core/kit/requestErrors.ts'
import { lazy } from '../../core/kit/lazy.ts'
import { callListener } from '../callListener.ts'
import type { ProviderSource } from '../ProviderSource.ts'
import { embeddedId } from './id.ts'
import type { LoginMethod } from './loginRecords.ts'
import { nameOf } from './nameOf.ts'

/** The logged-in user, with the account of each chain family. */
export type User = {
  method?: LoginMethod | undefined
  email?: string | null | undefined
  userName?: string | null | undefined
  accounts: { [namespace in ChainNamespace.ChainNamespace]?: UserReply }
  /** The user on each network that has smart accounts, by CAIP-2 id. */
  smart: Record<string, UserReply>
}

export type EmbeddedSession = Session & {
  /** Applies a changed user. */
  update(user: User): void
  /** Ends the session; providers emit `disconnect`. */
  end(): void
}

/**
 * The wallet's name, depending on the login method. The catalogs contain it as
 * `name.…`.
 */
function toWalletName({ method, userName, email }: User): string {
  const known = method ?? (userName ? 'social' : email ? 'email' : 'passkey')
  if (known === 'email') return 'Email wallet'
  return known === 'passkey' ? 'Passkey wallet' : 'Social wallet'
}

const eip155 = lazy(() => import('../createEip155Provider.ts'))
const solana = lazy(() => import('./createSolanaWallet.ts'))

/** The methods of each family. */
const [solanaMethods, eip155Methods] = [true, false].map((isSolana) =>
  [...safeRpcMethods, ...approvalRpcMethods].filter(
    (method) => method.startsWith('solana_') === isSolana,
  ),
) as [string[], string[]]
/** Methods that the provider answers itself. */
const ownMethods = ['eth_requestAccounts', 'net_version', 'wallet_switchEthereumChain']

/**
 * Creates the session of a user.
 *
 * @param parameters.request - sends a request for a chain to the frame @param
 *   parameters.onBlocked - called for a method that the frame does not support
 */
export function createSession(parameters: {
  context: ConnectorContext
  user: User
  request: ProviderSource['request']
  onBlocked: (method: string) => void
}): EmbeddedSession {
  const { context, request, onBlocked } = parameters
  let { user } = parameters
  let ended = false
  let state = read()
  const subscribers = new Set<() => void>()
  const onChange = new Set<() => void>()
  const onEnd = new Set<() => void>()
  const providers = new Map<string, Promise<unknown>>()

  function read(): SessionState {
    const networks = context.networks()
    return {
      id: embeddedId,
      connectorId: embeddedId,
      peer: { name: toWalletName(user) },
      grants: Object.fromEntries(
        Object.entries(user.accounts).map(([namespace, { accounts, address }]) => {
          const networkIds = networks
            .filter(({ chainNamespace }) => chainNamespace === namespace)
            .map(({ caipNetworkId }) => caipNetworkId)
          // Networks without smart accounts use the standard account.
          const standard = accounts?.find(({ type }) => type === 'eoa') ?? {
            address,
            type: undefined,
          }
          return [
            namespace,
            {
              accounts: networkIds.map((caipNetworkId) => {
                const reply = user.smart[caipNetworkId]
                return reply
                  ? { address: reply.address, caipNetworkId, type: reply.preferredAccountType }
                  : { ...standard, caipNetworkId }
              }),
              networkIds,
              methods: namespace === 'solana' ? solanaMethods : eip155Methods,
            },
          ]
        }),
      ),
      userName: nameOf(user) || undefined,
      method: 'browser',
    }
  }

  const source: ProviderSource = {
    getState() {
      if (ended) throw new NotConnectedError()
      return state
    },
    async request(parameters) {
      if (ended) throw new NotConnectedError()
      return request(parameters)
    },
    onChange: (listener) => void onChange.add(listener),
    // The frame sends no events.
    onEvent() {},
    onEnd: (listener) => void onEnd.add(listener),
    networks: () => context.networks(),
    activeNetwork: (namespace) => context.activeNetwork(namespace),
  }

  const creators: { [namespace in ChainNamespace.ChainNamespace]?: () => Promise<unknown> } = {
    eip155: createProvider,
    solana: () => solana(async ({ createSolanaWallet }) => createSolanaWallet(source)),
  }

  async function createProvider(): Promise<unknown> {
    const inner = await eip155(async ({ createEip155Provider }) => createEip155Provider(source))
    return {
      ...inner,
      // See spec §4.14.1, §6.3.2.
      async request(parameters: { method: string; params?: unknown }) {
        const { method } = parameters
        if (eip155Methods.includes(method) || ownMethods.includes(method))
          return inner.request(parameters)
        onBlocked(method)
        throw new ProviderRpcError(4200, 'Requested RPC call is not allowed')
      },
    }
  }

  const session: EmbeddedSession = {
    connectorId: embeddedId,
    getState: () => state,
    provider(namespace) {
      const create = creators[namespace]
      if (!create) return Promise.reject(new NotConnectedError())
      const known = providers.get(namespace)
      if (known) return known
      const created = create()
      providers.set(namespace, created)
      // Retries a failed load on the next call.
      created.catch(() => providers.delete(namespace))
      return created
    },
    subscribe(listener) {
      subscribers.add(listener)
      return () => void subscribers.delete(listener)
    },
    update(next) {
      user = next
      state = read()
      context.emit({ type: 'changed', session })
      for (const listener of [...onChange, ...subscribers]) if (!ended) callListener(listener)
    },
    end() {
      if (ended) return
      ended = true
      for (const listener of [...onEnd, ...subscribers]) callListener(listener)
    },
  }
  return session
}
