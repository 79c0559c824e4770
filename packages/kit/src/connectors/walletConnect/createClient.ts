import { BaseError, limits } from '@gatefold/protocol'
import { createSignClient } from '@gatefold/sign'
import type { Reason, Session } from '@gatefold/sign'

import { ConnectError, UserRejectedError } from '../../core/kit/errors.ts'
import { NotConnectedError } from '../../core/kit/kitErrors.ts'
import type {
  WalletConnect,
  WalletConnectEvent,
  WalletConnectParameters,
} from '../../core/walletConnect/WalletConnect.ts'
import { createMemory } from './memory.ts'
import { toNamespaces } from './namespaces.ts'
import type { Offered } from './readSession.ts'

/** The part of `WalletConnect` that needs the protocol's client. */
export type Client = Pick<
  WalletConnect,
  | 'session'
  | 'restore'
  | 'propose'
  | 'request'
  | 'rememberApp'
  | 'appOpener'
  | 'disconnect'
  | 'destroy'
>

/** @see createWalletConnect */
export function createClient(
  parameters: WalletConnectParameters,
  emit: (event: WalletConnectEvent) => void,
): Client {
  const { endpoints } = parameters
  const memory = createMemory(parameters)
  const sign = createSignClient({
    relayUrl: endpoints.relay.replace(/^http/, 'ws'),
    verifyUrl: endpoints.verify && `${endpoints.verify}/v3`,
    projectId: parameters.projectId,
    metadata: parameters.metadata,
    storagePrefix: parameters.storageKey,
  })
  const chains = () => parameters.networks().map(({ caipNetworkId }) => caipNetworkId)
  let session: Session | undefined
  let restoring: Promise<Session | undefined> | undefined
  let offline = false
  let openApp: (() => void) | undefined

  const end = (by: 'wallet' | 'expiry' | 'site') => {
    const wallet = session?.peer.metadata.name
    session = undefined
    memory.write(undefined)
    memory.rememberApp(undefined)
    emit({ type: 'session', session, by, wallet })
  }
  const isOurs = ({ topic }: { topic: string }) => topic === session?.topic
  const leave = (topic: string) =>
    // The wallet hears of it when the relay can be reached; here the session has ended already.
    sign
      .disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
      .catch(() => {})

  function take(made: Session, late?: Offered): Session {
    const before = session?.topic
    session = made
    memory.write({ topic: made.topic, chains: chains() })
    const offered = memory.offered()
    // Where it is gone another tab has taken the session, too.
    if (offered) memory.rememberApp(offered.app)
    memory.offer(undefined)
    if (before && before !== made.topic) void leave(before)
    emit({ type: 'session', session, late })
    return made
  }

  async function restore(): Promise<Session | undefined> {
    const remembered = memory.read()
    if (!remembered) return session
    await sign.ready()
    const found = sign.sessions().find(({ topic }) => topic === remembered.topic)
    const isGood = found && found.expiry * 1000 > Date.now()
    const isStale = !chains().every((chain) => remembered.chains.includes(chain))
    if (!isGood || isStale) {
      if (found) void leave(found.topic)
      // One that this page never had is nothing to speak of.
      end(isGood || !session ? 'site' : 'expiry')
      return undefined
    }
    if (session?.topic === found.topic) return session
    session = found
    emit({ type: 'session', session })
    return session
  }

  sign.on('session_update', (event) => {
    if (!isOurs(event)) return
    session = sign.sessions().find(isOurs) ?? session
    emit({ type: 'session', session })
  })
  sign.on('session_event', (event) => {
    const { chainId, event: news } = event.params
    if (isOurs(event)) emit({ type: 'event', chainId, name: news.name, data: news.data })
  })
  sign.on('session_delete', (event) => {
    if (isOurs(event)) end(event.local ? 'site' : 'wallet')
  })
  sign.on('session_expire', (event) => {
    if (isOurs(event)) end('expiry')
  })
  sign.on('session_request_sent', (event) => {
    if (!isOurs(event) || unattended.test(event.method)) return
    // The wallet can ask to be left where it is: it has its own ways to be seen.
    if (session?.sessionConfig?.disableDeepLink) return
    openApp = memory.appOpener(event)
    openApp?.()
    if (openApp) emit({ type: 'app' })
  })
  sign.on('relay', ({ status, reason }) => {
    offline = status === 'offline'
    if (status !== 'idle' && status !== 'connecting') emit({ type: 'relay', status, reason })
  })

  const earlier = memory.offered()
  if (earlier)
    import('./takeLate.ts').then(
      ({ takeLate }) => takeLate({ topics: earlier.topics, sign, memory, take, leave }),
      // Lost on the way: the visitor has to ask again.
      () => {},
    )

  return {
    session: () => session,
    restore: () => (restoring ??= restore().finally(() => (restoring = undefined))),
    async propose({ signal } = {}) {
      const optionalNamespaces = toNamespaces(parameters.networks())
      const connecting = await sign.connect({ optionalNamespaces, signal })
      const { uri, expiresAt } = connecting
      if (!uri) throw new ConnectError({ details: 'The client made no URI.' })
      memory.offer({
        topics: [...(memory.offered()?.topics ?? []), uri.slice(3, 67)],
        expiresAt: Date.now() + limits.proposalLifetimeMs,
      })
      signal?.addEventListener('abort', () => memory.offer(undefined))
      // Whoever asks now has not heard it: only a change is told.
      if (offline) emit({ type: 'relay', status: 'offline' })
      return {
        uri,
        expiresAt,
        approval: () =>
          connecting.approval().then(
            (made) => take(made),
            (error: unknown) => {
              throw toConnectError(error)
            },
          ),
      }
    },
    async request({ chainId, request }) {
      if (!session) throw new NotConnectedError()
      openApp = undefined
      return sign.request({ topic: session.topic, chainId, request })
    },
    appOpener: () => openApp,
    rememberApp(app) {
      const offered = memory.offered()
      if (offered) memory.offer({ ...offered, app })
    },
    async disconnect() {
      // Also one that was not restored: its wallet would go on believing in it.
      const topic = session?.topic ?? memory.read()?.topic
      if (!topic) return
      end('site')
      void leave(topic)
    },
    destroy: () => void sign.close(),
  }
}

/** What a wallet answers by itself: EIP-5792 and its like, with nothing for a person to see. */
const unattended = /^wallet_get/

/** CAIP-25 and the official clients: the visitor's no, to the session or to all it asked for. */
const refusals: readonly unknown[] = [4001, 5000, 5001, 5002, 5003]

function toConnectError(error: unknown): BaseError {
  const { reason } = error as { reason?: Reason }
  if (refusals.includes(reason?.code)) return new UserRejectedError({ cause: error })
  return error instanceof BaseError ? error : new ConnectError({ cause: error })
}
