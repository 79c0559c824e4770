import type { Keychain } from '../crypto/createKeychain.ts'
import { toErrorData } from '../errors.ts'
import { unique } from '../namespaces.ts'
import type { Relayer } from '../relayer/Relayer.ts'
import type { Metadata } from '../Session.ts'
import type { Clock, SignClientOptions, SignEvents } from '../SignClient.ts'
import type { EngineListener } from '../tabs/TabCoordinator.ts'
import type { Verify } from '../verify/Verify.ts'
import { responseTopic } from './state/responseTopic.ts'
import type { Context } from './Context.ts'
import { createIds } from './Context.ts'
import { createLog } from './createLog.ts'
import type { Command, Engine, EngineEvent, Snapshot } from './Engine.ts'
import { createExpirer } from './state/createExpirer.ts'
import { loadAuthenticateApp, loadAuthenticateWallet, loadDeferred } from './chunks.ts'
import { connect, withdrawProposal } from './app/propose.ts'
import { receive } from './transport/receive.ts'
import { evictRecords } from './state/remove.ts'
import { createRecentlyDeleted } from './state/recentlyDeleted.ts'
import { request, resend, deliverResponse } from './app/request.ts'
import { createRequestQueue } from './wallet/requestQueue.ts'
import { disconnect, ping } from './session/session.ts'
import { isSentProposal, type Stores, takeSnapshot } from './state/stores.ts'
import { observeStores } from './state/observeStores.ts'
import { noMatchingKey, recentlyDeleted } from '../validation/messages.ts'

export type EngineOptions = {
  metadata: Metadata
  relay: Relayer
  keys: Keychain
  stores: Stores
  verify: Verify | undefined
  clock: Clock
  disableRequestQueue: boolean
  openLink: SignClientOptions['openLink']
  ethCall: SignClientOptions['ethCall']
  listener: EngineListener<EngineEvent>
}

/** Delay between the start and emitting pending proposals and requests again. @see spec §9.10.1 */
const restoreDelayMs = 1_000

/** @see Engine */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { clock, listener, verify } = options
  let snapshot: Snapshot | undefined
  let notifying = false
  let closed = false

  function onChange() {
    snapshot = undefined
    if (notifying) return
    notifying = true
    queueMicrotask(() => {
      notifying = false
      if (closed) return
      listener.onChange()
      expirer.schedule()
    })
  }

  const stores = observeStores(options.stores, { onChange, isClosed: () => closed })
  const keys: Keychain = {
    ...options.keys,
    remove: async (tag) => (closed ? undefined : options.keys.remove(tag)),
  }
  const relay: Relayer = {
    ...options.relay,
    unsubscribe: async (topic) => (closed ? undefined : options.relay.unsubscribe(topic)),
  }
  const log = createLog({ clock })
  const stopStatus = relay.onStatus(({ status, reason }) =>
    log.add({ what: `relay ${status}`, reason }),
  )
  const event = <name extends keyof SignEvents>(name: name, event: SignEvents[name]) => {
    log.add({ what: name, ...toLogEntry(event) })
    listener.onEvent({ type: 'event', name, event } as EngineEvent)
  }
  const context: Context = {
    metadata: options.metadata,
    openLink: options.openLink,
    ethCall: options.ethCall,
    relay,
    keys,
    stores,
    verify,
    clock,
    nextId: createIds(clock),
    queue: createRequestQueue({
      requests: stores.requests,
      clock,
      all: options.disableRequestQueue,
      emit: (request) => event('session_request', request),
    }),
    recentlyDeleted: createRecentlyDeleted(),
    listened: new Set(),
    handling: new Set(),
    answering: new Set(),
    attestationPause: { untilMs: 0 },
    event,
    resolve(id, outcome) {
      log.add({ what: 'resolved', id, reason: 'error' in outcome ? outcome.error.code : undefined })
      listener.onEvent({ type: 'resolved', id, outcome })
    },
    log,
  }
  const expirer = createExpirer(context)
  // An official client's records have no `sent` field.
  if (stores.records.values().some(({ sent, response }) => sent === undefined && !response))
    await (await loadDeferred()).importOfficialRecords(context)
  await expirer.run()
  await evictRecords(context)
  const restored = listUnanswered(stores)
  relay.onMessage((message) => receive(context, message))
  resubscribe(context)
  if (stores.records.values().some(({ message }) => message !== undefined))
    void loadDeferred().then(({ resendUnsent }) => resendUnsent(context))
  const stopRestoring = clock.later(() => void emitRestored(context, restored), restoreDelayMs)

  return {
    async run(command) {
      log.add({ what: command.type, ...toLogEntry(command) })
      try {
        return { result: await run(context, command) }
      } catch (cause) {
        const error = toErrorData(cause)
        log.add({ what: `${command.type} failed`, ...toLogEntry(command), reason: error.code })
        return { error }
      }
    },
    snapshot: () => (snapshot ??= takeSnapshot(stores, keys)),
    async close() {
      closed = true
      stopStatus()
      stopRestoring()
      context.queue.close()
      expirer.close()
    },
  }
}

/** The topic and the id of a command or an event, if present. The arguments of a command are not validated yet. */
function toLogEntry(from: object) {
  const { topic, id } = from as { topic?: unknown; id?: unknown }
  return {
    topic: typeof topic === 'string' ? topic : undefined,
    id: typeof id === 'number' ? id : undefined,
  }
}

async function run(context: Context, command: Command): Promise<unknown> {
  switch (command.type) {
    case 'connect':
      return connect(context, command)
    case 'request':
      return request(context, command)
    case 'abort':
      return abort(context, command.id)
    case 'resume':
      return resume(context, command.id)
    case 'collect':
      return context.stores.records.delete(command.id)
    case 'preconnect':
      return preconnect(context)
    case 'pair':
      return (await loadDeferred()).pair(context, command.uri)
    case 'approve':
      return once(context, 'proposal', command.id, async () =>
        (await loadDeferred()).approve(context, command),
      )
    case 'reject':
      return once(context, 'proposal', command.id, async () =>
        (await loadDeferred()).reject(context, command),
      )
    case 'update':
      return (await loadDeferred()).update(context, command)
    case 'extend':
      return (await loadDeferred()).extend(context, command)
    case 'ping':
      return ping(context, command)
    case 'disconnect':
      return disconnect(context, command)
    case 'respond':
      return once(context, 'request', command.response?.id, async () =>
        (await loadDeferred()).respond(context, command),
      )
    case 'emit':
      return (await loadDeferred()).emit(context, command)
    case 'clientId':
      return context.keys.clientId()
    case 'logs':
      return context.log.text()
    case 'listen':
      context.listened.add(command.name)
      return undefined
    case 'authenticate':
      return (await loadAuthenticateApp()).authenticate(context, command)
    case 'approveSessionAuthenticate':
      return once(context, 'request', command.id, async () =>
        (await loadAuthenticateWallet()).approveAuthenticate(context, command),
      )
    case 'rejectSessionAuthenticate':
      return once(context, 'request', command.id, async () =>
        (await loadAuthenticateWallet()).rejectAuthenticate(context, command),
      )
    case 'handleLink':
      return (await loadDeferred()).handleLink(context, command.url, receive)
  }
}

/** Throws while another tab, or another call, is responding to the same proposal or request. */
async function once<result>(
  { answering }: Context,
  kind: string,
  id: number,
  answer: () => Promise<result>,
): Promise<result> {
  if (answering.has(id)) throw recentlyDeleted(kind, id)
  answering.add(id)
  try {
    return await answer()
  } finally {
    answering.delete(id)
  }
}

async function preconnect({ relay, verify }: Context) {
  relay.preconnect()
  verify?.prefetch()
  await loadDeferred()
}

async function abort(context: Context, id: number) {
  // Commands that have not stored or sent the request yet check this set.
  context.recentlyDeleted.add(id, 'request')
  await withdrawProposal(context, id)
  const record = context.stores.records.get(id)
  if (!record?.sent || context.stores.proposals.has(id)) return
  if (record.request.method === 'wc_sessionAuthenticate')
    return (await loadAuthenticateApp()).withdrawAuthenticate(context, record)
  await context.stores.records.delete(id)
  // Another tab may have resumed the request.
  context.resolve(id, { error: toErrorData(noMatchingKey(`request id doesn't exist: ${id}`)) })
}

async function resume(context: Context, id: number) {
  const record = context.stores.records.get(id)
  if (!record?.sent) throw noMatchingKey(`request id doesn't exist: ${id}`)
  if (record.response) deliverResponse(context, id, record.response)
  else if (record.request.method === 'wc_sessionRequest') await resend(context, record)
}

/**
 * Subscribes to every topic on which this client may receive messages. The relayer persists subscriptions
 * too, but some may be missing after a crash or in an official client's storage.
 */
function resubscribe({ relay, stores }: Context) {
  const topics = [
    ...stores.sessions.values().map(({ topic }) => topic),
    ...stores.pairings.values().map(({ topic }) => topic),
    ...stores.proposals.values().flatMap(({ sessionTopic }) => sessionTopic ?? []),
    ...stores.records
      .values()
      .filter(({ sent, response }) => sent && !response)
      .map(responseTopic),
  ]
  // Retried on every new socket.
  for (const topic of unique(topics)) relay.subscribe(topic).catch(() => undefined)
}

/** Ids of proposals and sign-in requests that were stored before this start. */
function listUnanswered({ proposals, authRequests }: Stores) {
  const ids = [...proposals.values(), ...authRequests.values()].map(({ id }) => id)
  return new Set(ids)
}

/** Emits stored proposals and requests again, because a reloaded page has not shown them yet. */
async function emitRestored(context: Context, restored: ReadonlySet<number>) {
  const { stores, keys, event, queue } = context
  const proposals = () =>
    stores.proposals
      .values()
      .filter(
        (it) => restored.has(it.id) && !isSentProposal(it, keys) && !context.answering.has(it.id),
      )
  if (proposals().length > 0) {
    const { emitProposal } = await loadDeferred()
    for (const proposal of proposals()) emitProposal(context, proposal)
  }
  for (const params of stores.authRequests.values()) {
    const { id, verifyContext } = params
    if (restored.has(id) && !keys.has(params.requester.publicKey))
      event('session_authenticate', { id, params, verifyContext })
  }
  queue.next()
}
