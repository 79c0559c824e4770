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
import { expired, noMatchingKey } from './validation/texts.ts'

/**
 * Makes a client of the wallet-connection protocol, for an app or a wallet. It stands at once; nothing
 * is read, sent or opened in the same task.
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
  const shownRequests = new Set<number>()
  const disconnecting = new Set<string>()
  const host = createTabCoordinator<Command, Outcome, EngineEvent, Snapshot>({
    name: `gatefold-sign:${options.storagePrefix ?? ''}`,
    initial: emptySnapshot,
    start: (tell) => startEngine({ ...options, clock }, tell),
    isRepeatable,
    lost,
  })
  const waiting = createPendingResponses({ run, snapshot: () => host.snapshot() })
  host.onEvent(onEvent)
  host.onLeader(() => {
    if (listeners.get('session_authenticate')?.size()) listen('session_authenticate')
    waiting.askAgain()
  })

  async function run(command: Command): Promise<unknown> {
    const outcome = await host.run(command)
    if ('error' in outcome) throw toError(outcome.error)
    return outcome.result
  }

  function onEvent(told: EngineEvent) {
    if (told.type === 'settled') return waiting.settle(told.id, told.outcome)
    const { name, event } = told
    if (name === 'session_delete' && disconnecting.has(event.topic)) return
    // Who hears it opens the wallet's app: that is for the tab that asked.
    if (name === 'session_request_sent' && !waiting.has(event.id)) return
    if (name === 'session_request') {
      // Another tab took the engine over and shows what waits; here it was shown before.
      if (shownRequests.has(event.id)) return
      shownRequests.add(event.id)
    }
    const heard = listeners.get(name)
    if (name === 'session_proposal' && !heard?.size() && host.isLeader())
      // oxlint-disable-next-line no-console -- the message is for the wallet's developer
      console.warn('No listener for session_proposal: the wallet will not see what was proposed.')
    heard?.tell(event as never)
  }

  function listen(name: keyof SignEvents) {
    // Without an engine there is nothing to hear; `ready` says why.
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

  function findPairing(topic: string): Pairing {
    const pairing = host.snapshot().pairings.find((pairing) => pairing.topic === topic)
    if (!pairing) throw noMatchingKey(`pairing topic doesn't exist: ${topic}`)
    if (isPairingExpired(pairing.expiry, clock.now())) throw expired(`pairing topic: ${topic}`)
    return pairing
  }

  /** Runs a command and waits for what the peer says to it. */
  function askPeer<result>(
    command: Extract<Command, { id: number }>,
    options: Parameters<typeof waiting.wait>[1],
  ) {
    const { id } = command
    const answer = waiting.wait<result>(id, options)
    const running = run(command)
    running.then(
      () => waiting.asked(id),
      (error: unknown) => waiting.fail(id, error),
    )
    return { answer, running }
  }

  /** Runs a command whose answer comes later, under its id. */
  async function ask<result>(command: Extract<Command, { id: number }>, collect = false) {
    const answer = waiting.wait<result>(command.id, { collect })
    try {
      await run(command)
    } catch (error) {
      waiting.drop(command.id)
      throw error
    }
    waiting.asked(command.id)
    return () => answer
  }

  return {
    clientId: () => run({ type: 'clientId' }) as Promise<string>,
    ready: () => host.ready(),
    sessions: () => host.snapshot().sessions,
    proposals: () => host.snapshot().proposals,
    pendingRequests: () => host.snapshot().pendingRequests,
    pendingAuthRequests: () => host.snapshot().authRequests,
    pairings: () => host.snapshot().pairings,
    pendingOutgoing: () => host.snapshot().pendingOutgoing,

    async connect(parameters) {
      assertConnect(parameters)
      const { signal, ...rest } = parameters
      signal?.throwIfAborted()
      const asked = toPlain(rest, 'connect()')
      if (asked.pairingTopic) await host.ready()
      const reused = asked.pairingTopic ? findPairing(asked.pairingTopic) : undefined
      // A pairing nothing has come of yet has been shown somewhere; a new attempt gets a new one.
      const made = reused?.active ? undefined : await createPairing()
      signal?.throwIfAborted()
      const pairingTopic = made?.pairing.topic ?? asked.pairingTopic ?? ''
      const { answer } = askPeer<Session>(
        {
          type: 'connect',
          id: nextId(),
          pairing: made?.pairing,
          pairingTopic,
          optionalNamespaces: mergeNamespaces(
            asked.requiredNamespaces ?? {},
            asked.optionalNamespaces ?? {},
          ),
          relays: asked.relays ?? [{ protocol: 'irn' }],
          sessionProperties: asked.sessionProperties,
          scopedProperties: asked.scopedProperties,
        },
        { signal, pairingTopic },
      )
      return {
        uri: made?.uri,
        expiresAt: clock.now() + pairingLifetimeSeconds * 1_000,
        approval: () => answer,
      }
    },

    async authenticate(parameters) {
      const { readAuthenticate } = await loadAuthenticateApp()
      const asked = readAuthenticate(parameters, clock.now())
      const { signal } = parameters
      const { pairing, uri } = await createPairing(['wc_sessionAuthenticate'])
      signal?.throwIfAborted()
      const id = nextId()
      const { answer, running } = askPeer<Awaited<ReturnType<Approval>>>(
        {
          type: 'authenticate',
          id,
          proposalId: nextId(),
          pairing,
          methods: asked.methods ?? [],
          authPayload: asked.authPayload,
          expiry: Math.max(asked.expiry ?? 0, authenticateExpiry),
          walletUniversalLink: asked.walletUniversalLink,
        },
        { signal },
      )
      // Only with a link in hand may there be another way than the code; `approval` says what failed.
      const link = asked.walletUniversalLink
        ? ((await running.catch(() => undefined)) as string | undefined)
        : undefined
      return {
        uri: link ?? uri,
        expiresAt: clock.now() + pairingLifetimeSeconds * 1_000,
        approval: () => answer,
      }
    },

    async request<result>(parameters: Parameters<SignClient['request']>[0]) {
      const { signal, ...rest } = parameters
      signal?.throwIfAborted()
      const asked = toPlain(rest, 'request()')
      return askPeer<result>({ type: 'request', id: nextId(), ...asked }, { signal, collect: true })
        .answer
    },

    async resume<result>({ id, signal }: Parameters<SignClient['resume']>[0]) {
      signal?.throwIfAborted()
      return askPeer<result>({ type: 'resume', id }, { signal, collect: true }).answer
    },

    preconnect: () => void run({ type: 'preconnect' }).catch(() => undefined),

    async pair(parameters) {
      return (await run({ type: 'pair', ...toPlain(parameters, 'pair()') })) as Pairing
    },

    async approve(parameters) {
      const settleId = nextId()
      const acknowledged = waiting.wait<Session>(settleId)
      try {
        const asked = toPlain(parameters, 'approve()')
        const { topic } = (await run({ type: 'approve', settleId, ...asked })) as { topic: string }
        return { topic, acknowledged: () => acknowledged }
      } catch (error) {
        waiting.drop(settleId)
        throw error
      }
    },

    async reject(parameters) {
      await run({ type: 'reject', ...toPlain(parameters, 'reject()') })
    },

    async update(parameters) {
      const asked = toPlain(parameters, 'update()')
      const answer = await ask<unknown>({ type: 'update', id: nextId(), ...asked }, true)
      return { acknowledged: async () => void (await answer()) }
    },

    async extend(parameters) {
      const asked = toPlain(parameters, 'extend()')
      const answer = await ask<unknown>({ type: 'extend', id: nextId(), ...asked }, true)
      return { acknowledged: async () => void (await answer()) }
    },

    async respond(parameters) {
      await run({ type: 'respond', ...toPlain(parameters, 'respond()') })
    },

    async emit(parameters) {
      await run({ type: 'emit', ...toPlain(parameters, 'emit()') })
    },

    async approveSessionAuthenticate(parameters) {
      const asked = toPlain(parameters, 'approveSessionAuthenticate()')
      return (await run({ type: 'approveSessionAuthenticate', ...asked })) as {
        session: Session | undefined
      }
    },

    async rejectSessionAuthenticate(parameters) {
      const asked = toPlain(parameters, 'rejectSessionAuthenticate()')
      await run({ type: 'rejectSessionAuthenticate', ...asked })
    },

    async ping(parameters) {
      const asked = toPlain(parameters, 'ping()')
      const answer = await ask<unknown>({ type: 'ping', id: nextId(), ...asked })
      await answer()
    },

    async disconnect(parameters) {
      const asked = toPlain(parameters, 'disconnect()')
      disconnecting.add(asked.topic)
      try {
        await run({ type: 'disconnect', ...asked })
      } finally {
        disconnecting.delete(asked.topic)
      }
    },

    handleLink: async (url) => (await run({ type: 'handleLink', url })) as boolean,

    on(name, listener) {
      const heard = listeners.get(name) ?? createEmitter<never>()
      listeners.set(name, heard)
      const stop = heard.add(listener)
      if (name === 'session_authenticate') listen(name)
      return stop
    },

    async close() {
      listeners.clear()
      await host.close()
      waiting.close(toError(lost('closed').error))
    },
  }
}

type Approval = Awaited<ReturnType<SignClient['authenticate']>>['approval']

/** What a command comes to that no engine can answer. */
function lost(reason: FailureReason, cause?: unknown): { error: ErrorData } {
  const message = {
    not_plain: 'Missing or invalid. The parameters hold what cannot go from tab to tab.',
    closed: 'Not initialized. The sign client is closed.',
    tab_gone: 'The tab that did this is gone; whether it was done is not known.',
    not_started: 'Not initialized. The sign client could not start.',
  }[reason]
  const code: ValidationError.Code = 'sign.not_initialized'
  const details = cause instanceof Error ? cause.message : undefined
  return {
    error: { name: 'ValidationError', code, message, ...(details !== undefined && { details }) },
  }
}
