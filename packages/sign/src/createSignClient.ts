import { type ErrorData, toError, type ValidationError } from './errors.ts'
import { createIds } from './engine/Context.ts'
import {
  type Command,
  emptySnapshot,
  type EngineEvent,
  isRepeatable,
  type Outcome,
  type Snapshot,
} from './engine/Engine.ts'
import { authenticateExpiry, pairingExpiry } from './engine/transport/methods.ts'
import { startEngine } from './engine/startEngine.ts'
import { createSymKey, hashKey } from './crypto/keys.ts'
import { createRepeatFilter } from './createRepeatFilter.ts'
import { createPendingResponses } from './createPendingResponses.ts'
import { loadAuthenticateApp } from './engine/chunks.ts'
import { mergeNamespaces } from './namespaces.ts'
import { formatPairingUri, isPairingExpired, pairingLifetimeSeconds } from './pairingUri.ts'
import type { Session } from './Session.ts'
import type { Pairing, SignClient, SignClientOptions, SignEvents } from './SignClient.ts'
import { systemClock } from './systemClock.ts'
import { createTabCoordinator } from './tabs/createTabCoordinator.ts'
import { createEmitter } from './createEmitter.ts'
import type { FailureReason } from './tabs/TabCoordinator.ts'
import { assertConnect } from './validation/connect.ts'
import { toPlain } from './validation/shapes.ts'
import { expired, noMatchingKey } from './validation/messages.ts'

/**
 * Creates a client for an app or a wallet. Returns synchronously; the client then loads its stored state, and
 * opens a socket only when needed.
 *
 * @example
 * const client = createSignClient({ relayUrl: 'wss://relay.example', projectId, metadata })
 * const { uri, approval } = await client.connect({ optionalNamespaces })
 * showQrCode(uri)
 * const session = await approval()
 * @see docs/sign.md
 */
export function createSignClient(options: SignClientOptions): SignClient {
  const { clock = systemClock } = options
  const nextId = createIds(clock)
  const listeners = new Map<string, ReturnType<typeof createEmitter<never>>>()
  const disconnecting = new Set<string>()
  const tabs = createTabCoordinator<Command, Outcome, EngineEvent, Snapshot>({
    name: `gatefold-sign:${options.storagePrefix ?? ''}`,
    initial: emptySnapshot,
    start: (listener) => startEngine({ ...options, clock }, listener),
    isRepeatable,
    toFailure,
  })
  const responses = createPendingResponses({ run, snapshot: () => tabs.snapshot() })
  const repeats = createRepeatFilter(tabs)
  tabs.onEvent(onEvent)
  tabs.onLeader(() => {
    if (listeners.get('session_authenticate')?.size()) listen('session_authenticate')
    responses.resumeAll()
  })

  async function run(command: Command): Promise<unknown> {
    const outcome = await tabs.run(command)
    if ('error' in outcome) throw toError(outcome.error)
    return outcome.result
  }

  function onEvent(engineEvent: EngineEvent) {
    if (engineEvent.type === 'resolved')
      return responses.resolve(engineEvent.id, engineEvent.outcome)
    const { name, event } = engineEvent
    if (name === 'session_delete' && disconnecting.has(event.topic)) return
    // Listeners to this event open the wallet app, so only the tab that sent the request emits it.
    if (name === 'session_request_sent' && !responses.has(event.id)) return
    if (name === 'session_request' && repeats.isRepeat(event.id)) return
    const emitter = listeners.get(name)
    if (name === 'session_proposal' && !emitter?.size() && tabs.isLeader())
      // oxlint-disable-next-line no-console -- the message is for the wallet's developer
      console.warn('No listener for session_proposal: the proposal is ignored.')
    emitter?.emit(event as never)
  }

  function listen(name: keyof SignEvents) {
    // If the engine cannot start, `ready` rejects with the cause.
    run({ type: 'listen', name }).catch(() => undefined)
  }

  async function createPairing(methods?: readonly string[]) {
    const symKey = createSymKey()
    const expiry = Math.floor(clock.now() / 1_000) + pairingExpiry
    const pairing = { topic: await hashKey(symKey), symKey, expiry }
    const uri = formatPairingUri({
      ...pairing,
      relay: { protocol: 'irn' },
      expiryTimestamp: expiry,
      methods,
    })
    return { pairing, uri }
  }

  /** Chooses an existing pairing if a topic is given, otherwise creates one. */
  async function choosePairing(topic: string | undefined, methods?: readonly string[]) {
    if (topic) await tabs.ready()
    const existing = topic ? findPairing(topic) : undefined
    // An inactive pairing may still be shown as a QR code elsewhere, so it is not reused.
    const created = existing?.active ? undefined : await createPairing(methods)
    return { ...created, pairingTopic: created?.pairing.topic ?? topic ?? '' }
  }

  function findPairing(topic: string): Pairing {
    const pairing = tabs.snapshot().pairings.find((pairing) => pairing.topic === topic)
    if (!pairing) throw noMatchingKey(`pairing topic doesn't exist: ${topic}`)
    if (isPairingExpired(pairing.expiry, clock.now())) throw expired(`pairing topic: ${topic}`)
    return pairing
  }

  /** Starts a command and returns immediately. `response` rejects if the command fails. */
  function start<result>(
    command: Extract<Command, { id: number }>,
    options: Parameters<typeof responses.wait>[1],
  ) {
    const { id } = command
    const response = responses.wait<result>(id, options)
    const running = run(command)
    running.then(
      () => responses.markSent(id),
      (error: unknown) => responses.reject(id, error),
    )
    return { response, running }
  }

  /** Runs a command to its end. @returns a function that returns a promise of the peer's response */
  async function send<result>(command: Extract<Command, { id: number }>, collect = false) {
    const response = responses.wait<result>(command.id, { collect })
    try {
      await run(command)
    } catch (error) {
      responses.drop(command.id)
      throw error
    }
    responses.markSent(command.id)
    return () => response
  }

  return {
    clientId: () => run({ type: 'clientId' }) as Promise<string>,
    logs: () => run({ type: 'logs' }) as Promise<string>,
    ready: () => tabs.ready(),
    sessions: () => tabs.snapshot().sessions,
    proposals: () => tabs.snapshot().proposals,
    pendingRequests: () => tabs.snapshot().pendingRequests,
    pendingAuthRequests: () => tabs.snapshot().authRequests,
    pairings: () => tabs.snapshot().pairings,
    pendingOutgoing: () => tabs.snapshot().pendingOutgoing,

    async connect(parameters) {
      assertConnect(parameters)
      const { signal, ...rest } = parameters
      signal?.throwIfAborted()
      const input = toPlain(rest, 'connect()')
      const { uri, pairing, pairingTopic } = await choosePairing(input.pairingTopic)
      signal?.throwIfAborted()
      const { response } = start<Session>(
        {
          type: 'connect',
          id: nextId(),
          pairing,
          pairingTopic,
          optionalNamespaces: mergeNamespaces(
            input.requiredNamespaces ?? {},
            input.optionalNamespaces ?? {},
          ),
          relays: input.relays ?? [{ protocol: 'irn' }],
          sessionProperties: input.sessionProperties,
          scopedProperties: input.scopedProperties,
        },
        { signal, pairingTopic },
      )
      return {
        uri,
        expiresAt: clock.now() + pairingLifetimeSeconds * 1_000,
        approval: () => response,
      }
    },

    async authenticate(parameters) {
      const { readAuthenticate } = await loadAuthenticateApp()
      const input = readAuthenticate(parameters, clock.now())
      const { signal } = parameters
      const methods = ['wc_sessionAuthenticate']
      const { uri, pairing, pairingTopic } = await choosePairing(input.pairingTopic, methods)
      signal?.throwIfAborted()
      const id = nextId()
      const { response, running } = start<Awaited<ReturnType<Approval>>>(
        {
          type: 'authenticate',
          id,
          proposalId: nextId(),
          pairing,
          pairingTopic,
          methods: input.methods ?? [],
          authPayload: input.authPayload,
          expiry: Math.max(input.expiry ?? 0, authenticateExpiry),
          walletUniversalLink: input.walletUniversalLink,
        },
        { signal },
      )
      // In link mode the command returns the link to open. A failure rejects `approval`.
      const link = input.walletUniversalLink
        ? ((await running.catch(() => undefined)) as string | undefined)
        : undefined
      return {
        uri: link ?? uri,
        expiresAt: clock.now() + pairingLifetimeSeconds * 1_000,
        approval: () => response,
      }
    },

    async request<result>(parameters: Parameters<SignClient['request']>[0]) {
      const { signal, ...rest } = parameters
      signal?.throwIfAborted()
      const input = toPlain(rest, 'request()')
      return start<result>({ type: 'request', id: nextId(), ...input }, { signal, collect: true })
        .response
    },

    async resume<result>({ id, signal }: Parameters<SignClient['resume']>[0]) {
      signal?.throwIfAborted()
      return start<result>({ type: 'resume', id }, { signal, collect: true }).response
    },

    preconnect: () => void run({ type: 'preconnect' }).catch(() => undefined),

    async pair(parameters) {
      return (await run({ type: 'pair', ...toPlain(parameters, 'pair()') })) as Pairing
    },

    async approve(parameters) {
      const settleId = nextId()
      const acknowledged = responses.wait<Session>(settleId)
      try {
        const input = toPlain(parameters, 'approve()')
        const { topic } = (await run({ type: 'approve', settleId, ...input })) as { topic: string }
        return { topic, acknowledged: () => acknowledged }
      } catch (error) {
        responses.drop(settleId)
        throw error
      }
    },

    async reject(parameters) {
      await run({ type: 'reject', ...toPlain(parameters, 'reject()') })
    },

    async update(parameters) {
      const input = toPlain(parameters, 'update()')
      const response = await send<unknown>({ type: 'update', id: nextId(), ...input }, true)
      return { acknowledged: async () => void (await response()) }
    },

    async extend(parameters) {
      const input = toPlain(parameters, 'extend()')
      const response = await send<unknown>({ type: 'extend', id: nextId(), ...input }, true)
      return { acknowledged: async () => void (await response()) }
    },

    async respond(parameters) {
      await run({ type: 'respond', ...toPlain(parameters, 'respond()') })
    },

    async emit(parameters) {
      await run({ type: 'emit', ...toPlain(parameters, 'emit()') })
    },

    async approveSessionAuthenticate(parameters) {
      const input = toPlain(parameters, 'approveSessionAuthenticate()')
      return (await run({ type: 'approveSessionAuthenticate', ...input })) as {
        session: Session | undefined
      }
    },

    async rejectSessionAuthenticate(parameters) {
      const input = toPlain(parameters, 'rejectSessionAuthenticate()')
      await run({ type: 'rejectSessionAuthenticate', ...input })
    },

    async ping(parameters) {
      const input = toPlain(parameters, 'ping()')
      const response = await send<unknown>({ type: 'ping', id: nextId(), ...input })
      await response()
    },

    async disconnect(parameters) {
      const input = toPlain(parameters, 'disconnect()')
      disconnecting.add(input.topic)
      try {
        await run({ type: 'disconnect', ...input })
      } finally {
        disconnecting.delete(input.topic)
      }
    },

    handleLink: async (url) => (await run({ type: 'handleLink', url })) as boolean,

    on(name, listener) {
      const emitter = listeners.get(name) ?? createEmitter<never>()
      listeners.set(name, emitter)
      const remove = emitter.on(listener)
      if (name === 'session_authenticate') listen(name)
      return remove
    },

    async close() {
      listeners.clear()
      await tabs.close()
      responses.close(toError(toFailure('closed').error))
    },
  }
}

type Approval = Awaited<ReturnType<SignClient['authenticate']>>['approval']

/** The outcome of a command for which no engine reported an outcome. */
function toFailure(reason: FailureReason, cause?: unknown): { error: ErrorData } {
  const message = {
    not_plain: 'Missing or invalid. The parameters cannot be sent to another tab.',
    closed: 'Not initialized. The sign client is closed.',
    tab_closed:
      'The tab that ran this command was closed. Whether the command succeeded is unknown.',
    not_started: 'Not initialized. The sign client could not start.',
  }[reason]
  const code: ValidationError.Code = 'sign.not_initialized'
  const details = cause instanceof Error ? cause.message : undefined
  return {
    error: { name: 'ValidationError', code, message, ...(details !== undefined && { details }) },
  }
}
