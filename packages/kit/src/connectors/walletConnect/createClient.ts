import { BaseError, limits, pairingTopic } from '@gatefold/protocol'
import { createSignClient } from '@gatefold/sign'
import type { Reason, Session as SignSession, SignClient } from '@gatefold/sign'

import type {
  ConnectorContext,
  ConnectParameters,
  ConnectProgress,
  WalletApp,
} from '../../core/connection/Connector.ts'
import type { Session, SessionEndReason } from '../../core/connection/Session.ts'
import { ConnectError, ConnectExpiredError, UserRejectedError } from '../../core/kit/errors.ts'
import { ChainNotSupportedError } from '../../core/kit/requestErrors.ts'
import type { AlertCode } from '../../core/notifications/alerts.ts'
import { openLink } from '../../core/platform/openLink.ts'
import { createRecords } from './createRecords.ts'
import { createSession, preloadProviders } from './createSession.ts'
import type { LiveSession } from './createSession.ts'
import { toNamespaces } from './namespaces.ts'
import type { ProposalRecord } from './records.ts'
import { uriExpiry } from './uriExpiry.ts'
import { walletConnectId } from './id.ts'
import { watchApprovals } from './watchApprovals.ts'

/**
 * Maximum number of automatic renewals of a URI, about twenty minutes in total. After that, the visitor
 * has to renew it.
 */
const renewals = 4

/** The methods of the protocol client that the connector uses. */
export type Sign = Pick<
  SignClient,
  'connect' | 'disconnect' | 'request' | 'on' | 'ready' | 'sessions' | 'close'
>

export type Client = ReturnType<typeof createClient>

/** Creates the part of the connector that needs the protocol client. @see walletConnect */
export function createClient(context: ConnectorContext, sign: Sign = createSign(context)) {
  const emit: ConnectorContext['emit'] = (event) => context.emit(event)
  const { storageKey } = context.options
  const records = createRecords({
    storage: context.storage,
    storageKey,
    findWallet: (id) => context.findWallet(id),
  })
  const chains = () => context.networks().map(({ caipNetworkId }) => caipNetworkId)
  const alert = (code: AlertCode, values?: Record<string, string>) =>
    emit({ type: 'alert', code, values })
  const alertWithoutNetwork = (wallet: string) =>
    alert('WALLET_WITHOUT_NETWORK', {
      wallet,
      networks: context
        .networks()
        .map(({ name, caipNetworkId }) => `${name} (${caipNetworkId})`)
        .join(', '),
    })
  let session: LiveSession | undefined
  let restoring: Promise<Session | undefined> | undefined
  let offline = false
  /** Reports progress to the pending `connect`. */
  let report: ((change: Partial<ConnectProgress>) => void) | undefined
  let rejectPending: ((error: Error) => void) | undefined

  const isOwn = ({ topic }: { topic: string }) => topic === session?.topic
  const endAtWallet = (topic: string) =>
    // Sent once the relay is reachable; locally, the session has already ended.
    sign
      .disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
      .catch(() => {})

  function end(reason: SessionEndReason): void {
    const ended = session
    session = undefined
    records.setSession(undefined)
    records.setApp(undefined)
    emit({ type: 'ended', connectorId: walletConnectId, reason })
    ended?.end()
  }

  /** Makes an approved session the connector's session. */
  function adopt(settled: SignSession): LiveSession {
    const before = session
    const proposal = records.proposal()
    session = createSession({ context, sign, session: settled, byApp: Boolean(proposal?.app) })
    records.setSession({ topic: settled.topic, chains: chains(), byApp: Boolean(proposal?.app) })
    // If the proposal record is missing, another tab has already adopted the session and stored its app.
    if (proposal) records.setApp(proposal.app)
    records.setProposal(undefined)
    if (before && before.topic !== settled.topic) {
      void endAtWallet(before.topic)
      before.end()
    }
    return session
  }

  async function restore(): Promise<Session | undefined> {
    const record = records.session()
    if (!record) return session
    await sign.ready()
    const found = sign.sessions().find(({ topic }) => topic === record.topic)
    const isValid = found && found.expiry * 1000 > Date.now()
    const isStale = !chains().every((chain) => record.chains.includes(chain))
    if (!isValid || isStale) {
      if (found) void endAtWallet(found.topic)
      end(isValid || !session ? 'site' : 'expired')
      return undefined
    }
    if (session?.topic === found.topic) return session
    session = createSession({ context, sign, session: found, byApp: record.byApp })
    emit({ type: 'changed', session })
    return session
  }

  async function disconnect(): Promise<void> {
    // Includes a stored session that has not been restored, which the wallet would otherwise keep.
    const topic = session?.topic ?? records.session()?.topic
    if (!topic) return
    end('site')
    void endAtWallet(topic)
  }

  /**
   * Creates a URI and waits for a wallet to approve. When the URI expires, creates a new one, at most
   * `renewals` times, and only while the URI is on screen and no app was opened with it.
   */
  async function connect(parameters: ConnectParameters): Promise<Session> {
    if (session) return session
    preloadProviders(context.namespaces)
    if (isAnotherOrigin(context.options)) alert('METADATA_URL_MISMATCH')
    const { signal, onProgress, isShown = () => true } = parameters
    let progress: ConnectProgress = { type: 'uri' }
    let uriCount = 0
    let isOver = false
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const update = (change: Partial<ConnectProgress>) => {
      if (!signal?.aborted) onProgress?.((progress = { ...progress, ...change }))
    }
    const approved = new Promise<SignSession>((resolve, reject) => {
      report = update
      rejectPending = reject
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      async function propose(): Promise<void> {
        const number = ++uriCount
        const createdAt = Date.now()
        try {
          const proposed = await makeUri(signal)
          if (signal?.aborted) return
          const expiresAt = uriExpiry({ createdAt, expiresAt: proposed.expiresAt })
          update({ uri: proposed.uri, expiresAt, offline })
          timers.add(setTimeout(onExpiry, expiresAt - Date.now()))
          const settled = await proposed.approval()
          // Earlier URIs can still be approved, even after another one was approved or declined.
          if (isOver) void endAtWallet(settled.topic)
          else resolve(settled)
          isOver = true
        } catch (error) {
          // An earlier URI may fail while a later one is on screen.
          if (number === uriCount) reject(toConnectError(error))
        }
      }
      function onExpiry(): void {
        if (uriCount <= renewals && isShown() && !progress.app) void propose()
        else update({ expired: true })
      }
      void propose()
    })
    try {
      const adopted = adopt(await approved)
      const granted = Object.values(adopted.getState().grants).flatMap((it) => it?.networkIds ?? [])
      if (granted.length > 0 && !granted.some((id) => chains().includes(id)))
        alertWithoutNetwork(adopted.getState().peer.name)
      emit({ type: 'changed', session: adopted })
      return adopted
    } catch (error) {
      if (error instanceof ChainNotSupportedError) alertWithoutNetwork('The wallet')
      throw error
    } finally {
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      if (report === update) report = rejectPending = undefined
    }
  }

  async function makeUri(signal: AbortSignal | undefined) {
    const optionalNamespaces = toNamespaces(context)
    const { uri, expiresAt, approval } = await sign.connect({ optionalNamespaces, signal })
    const topic = uri && pairingTopic(uri)
    if (!topic) throw new ConnectError({ details: 'The client created no URI.' })
    records.setProposal({
      topics: [...(records.proposal()?.topics ?? []), topic],
      expiresAt: Date.now() + limits.proposalLifetimeMs,
    })
    signal?.addEventListener('abort', () => records.setProposal(undefined))
    return { uri, expiresAt, approval }
  }

  sign.on('session_update', (event) => {
    if (!session || !isOwn(event)) return
    const updated = sign.sessions().find(isOwn)
    if (updated) session.update(updated)
  })
  sign.on('session_event', (event) => {
    if (!session || !isOwn(event)) return
    const { chainId, event: params } = event.params
    session.onEvent({ chainId, name: params.name, data: params.data })
  })
  sign.on('session_delete', (event) => {
    if (isOwn(event)) end(event.local ? 'site' : 'user')
  })
  sign.on('session_expire', (event) => {
    if (isOwn(event)) end('expired')
  })
  sign.on('session_request_sent', (event) => {
    if (!session || !isOwn(event) || promptlessMethods.test(event.method)) return
    // Wallets can opt out, because some notify the visitor in another way.
    if (session.disableDeepLink) return
    void records.requestLink(event).then((link) => {
      if (!link || !session || !isOwn(event)) return
      openLink(link.href, link)
      session.setRequestLink(link)
    })
  })
  sign.on('relay', ({ status, reason }) => {
    if (status === 'refused') {
      const message = reason ?? 'The relay rejected this site.'
      emit({ type: 'refused', message })
      rejectPending?.(new ConnectError({ details: message }))
    } else if (status !== 'idle' && status !== 'connecting') {
      offline = status === 'offline'
      report?.({ offline })
    }
  })

  const earlier: ProposalRecord | undefined = records.proposal()
  if (earlier)
    watchApprovals({
      topics: earlier.topics,
      sign,
      records,
      adopt: (settled) => emit({ type: 'approved', session: adopt(settled) }),
      end: endAtWallet,
    })

  return {
    connect,
    disconnect,
    restore: () => (restoring ??= restore().finally(() => (restoring = undefined))),
    setApp(app: WalletApp | undefined) {
      const proposal = records.proposal()
      if (proposal) records.setProposal({ ...proposal, app })
      report?.({ app })
    },
    destroy: () => void sign.close(),
  }
}

function createSign({ options }: ConnectorContext): Sign {
  const { endpoints } = options
  return createSignClient({
    relayUrl: String(endpoints.relay).replace(/^http/, 'ws'),
    verifyUrl: endpoints.verify && `${endpoints.verify}/v3`,
    projectId: options.projectId,
    metadata: options.metadata,
    storagePrefix: options.storageKey,
  })
}

/** Whether the verify service would attest an origin other than that of `metadata.url`. */
function isAnotherOrigin({ endpoints, metadata }: ConnectorContext['options']): boolean {
  if (!endpoints.verify || typeof location === 'undefined' || !metadata.url) return false
  return URL.canParse(metadata.url) && new URL(metadata.url).origin !== location.origin
}

/** Methods that wallets handle without a prompt, such as `wallet_getCapabilities` (EIP-5792). */
const promptlessMethods = /^wallet_get/

/**
 * Error codes that mean the visitor rejected the session, or the proposed chains, methods or events.
 *
 * @see CAIP-25
 */
const rejectionCodes: readonly unknown[] = [4001, 5000, 5001, 5002, 5003]

/** Error codes that mean the wallet supports none of the proposed chains or families. @see docs/contracts/relay.md#reason-codes */
const unsupportedCodes: readonly unknown[] = [5100, 5104]

function toConnectError(error: unknown): BaseError {
  const { reason, code } = error as { reason?: Reason; code?: unknown }
  if (rejectionCodes.includes(reason?.code)) return new UserRejectedError({ cause: error })
  if (unsupportedCodes.includes(reason?.code)) return new ChainNotSupportedError({ cause: error })
  if (code === 'sign.expired') return new ConnectExpiredError({ cause: error })
  return error instanceof BaseError ? error : new ConnectError({ cause: error })
}
