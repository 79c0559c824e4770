import { CaipAddress, CaipNetworkId } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'
import type { Session as SignSession, SignClient } from '@gatefold/sign'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import type { Session, SessionState } from '../../core/connection/Session.ts'
import { NotConnectedError } from '../../core/kit/requestErrors.ts'
import { lazy } from '../../core/kit/lazy.ts'
import { callListener } from '../callListener.ts'
import type { ProviderSource, WalletEvent } from '../ProviderSource.ts'
import { maxAccounts, toGrants } from './toGrants.ts'
import { walletConnectId } from './id.ts'

/** A session with the methods that the client calls. */
export type LiveSession = Session & {
  readonly topic: string
  /** Whether the wallet opted out of being opened for requests. */
  readonly disableDeepLink: boolean
  /** Applies the accounts, chains and methods that a changed session grants. */
  update(session: SignSession): void
  onEvent(event: WalletEvent): void
  setRequestLink(link: SessionState['requestLink']): void
  /** Ends the session; providers emit `disconnect`. */
  end(): void
}

const eip155 = lazy(() => import('../createEip155Provider.ts'))

/** Preloads the providers for chain families. */
export function preloadProviders(namespaces: readonly ChainNamespace.ChainNamespace[]): void {
  if (namespaces.includes('eip155')) eip155(async () => {}).catch(() => {})
}

/** Creates a `Session` for a settled session of the protocol. */
export function createSession(parameters: {
  context: ConnectorContext
  sign: Pick<SignClient, 'request'>
  session: SignSession
  /** Whether the visitor opened an app on this device to connect. */
  byApp: boolean
}): LiveSession {
  const { context, sign, byApp } = parameters
  let { session } = parameters
  let ended = false
  let requestLink: SessionState['requestLink']
  /**
   * Accounts by family, in lower case and in the order that the wallet reported; empty if it revoked
   * all.
   */
  const preferred: Record<string, readonly string[]> = {}
  let state = read()
  const subscribers = new Set<() => void>()
  const onChange = new Set<() => void>()
  const onEvent = new Set<(event: WalletEvent) => void>()
  const onEnd = new Set<() => void>()
  const providers = new Map<string, Promise<unknown>>()

  function read(): SessionState {
    const grants = toGrants(session.namespaces, preferred)
    const { name, url, icons } = session.peer.metadata
    return {
      id: session.topic,
      connectorId: walletConnectId,
      peer: { name, url, icons },
      grants: Object.fromEntries(
        Object.entries(grants).map(([family, grant]) => [
          family,
          preferred[family]?.length === 0 ? { ...grant, accounts: [] } : grant,
        ]),
      ),
      expiresAt: session.expiry * 1000,
      capabilities: session.sessionProperties?.capabilities,
      requestLink,
      method: byApp ? 'mobile' : 'qrcode',
    }
  }

  /** Updates the store first, then providers, then other subscribers. */
  function changed(): void {
    state = read()
    context.emit({ type: 'changed', session: live })
    // Skips the listeners if `emit` has ended the session, as the core does without accounts.
    for (const listener of [...onChange, ...subscribers]) if (!ended) callListener(listener)
  }

  const source: ProviderSource = {
    getState() {
      if (ended) throw new NotConnectedError()
      return state
    },
    async request({ chainId, request }) {
      if (ended) throw new NotConnectedError()
      live.setRequestLink(undefined)
      return sign.request({ topic: session.topic, chainId, request })
    },
    onChange: (listener) => void onChange.add(listener),
    onEvent: (listener) => void onEvent.add(listener),
    onEnd: (listener) => void onEnd.add(listener),
    networks: () => context.networks(),
    activeNetwork: (namespace) => context.activeNetwork(namespace),
  }

  const live: LiveSession = {
    connectorId: walletConnectId,
    topic: session.topic,
    get disableDeepLink() {
      return Boolean(session.sessionConfig?.disableDeepLink)
    },
    getState: () => state,
    provider(namespace) {
      const known = providers.get(namespace)
      if (known) return known
      const created =
        namespace === 'eip155'
          ? eip155(async ({ createEip155Provider }) => createEip155Provider(source))
          : Promise.resolve(createChainProvider(source, namespace))
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
      session = next
      for (const [family, addresses] of Object.entries(preferred))
        if (addresses.length === 0) delete preferred[family]
      changed()
    },
    onEvent(event) {
      const family = CaipNetworkId.split(event.chainId)?.namespace ?? event.chainId
      if (event.name === 'accountsChanged' && Array.isArray(event.data)) {
        // Some wallets send CAIP-10 accounts, others bare addresses.
        preferred[family] = event.data
          .slice(0, maxAccounts)
          .map((id) => CaipAddress.toAddress(String(id)).toLowerCase())
        changed()
      } else for (const listener of onEvent) listener(event)
    },
    setRequestLink(link) {
      if (link === requestLink) return
      requestLink = link
      state = { ...state, requestLink }
      context.emit({ type: 'changed', session: live })
    },
    end() {
      if (ended) return
      ended = true
      for (const listener of [...onEnd, ...subscribers]) callListener(listener)
    },
  }
  return live
}

/** A provider for chain families without a specific provider. Each request includes the chain. @see CAIP-27 */
function createChainProvider(source: ProviderSource, namespace: ChainNamespace.ChainNamespace) {
  return {
    request({ method, params, chainId }: { method: string; params?: unknown; chainId?: string }) {
      const [first] = source.getState().grants[namespace]?.networkIds ?? []
      const chain = chainId ?? source.activeNetwork(namespace)?.caipNetworkId ?? first
      if (!chain) throw new NotConnectedError()
      return source.request({ chainId: chain, request: { method, params } })
    },
  }
}
