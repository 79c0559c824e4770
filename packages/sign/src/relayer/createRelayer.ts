import {
  RelayPush,
  relayRefusals,
  relaySessionPublishes,
  type RelayPush as Push,
} from '@gatefold/protocol/relay'
import * as v from 'valibot'
import type { Keychain } from '../crypto/createKeychain.ts'
import { RelayError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { PublishOptions, Relayer } from './Relayer.ts'
import type { Clock } from '../SignClient.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import { systemClock } from '../systemClock.ts'
import { createConnection, type Status } from './createConnection.ts'
import { createInbox } from './createInbox.ts'
import { createRequests, RefusedRequestError } from './createRequests.ts'
import { createSubscriptions } from './createSubscriptions.ts'
import { toRelayUrl } from './toRelayUrl.ts'
import { watchResume } from './watchResume.ts'

export type RelayerOptions = {
  /** `wss://…`, the token's audience exactly as it stands. */
  relayUrl: string
  projectId?: string | undefined
  keychain: Pick<Keychain, 'clientId' | 'relayToken'>
  store: KeyValueStore
  storagePrefix?: string | undefined
  onDamaged?: ((key: string) => void) | undefined
  clock?: Clock | undefined
  WebSocket?: typeof WebSocket | undefined
}

/** A socket that brings nothing while an answer is overdue this long is dead. */
const silenceMs = 15_000
/** So long after a probe nothing came: the socket is dead. */
const probeMs = 5_000
/** A socket that brings nothing is probed; no platform but `ws` shows the relay's pings. */
const quietMs = 120_000
/** A socket nobody needs is closed. */
const restMs = 30_000

/** Reads what is stored. The socket opens with the first listener that has topics, or a request. */
export async function createRelayer(options: RelayerOptions): Promise<Relayer> {
  const { keychain, relayUrl, projectId, store, onDamaged, clock = systemClock } = options
  const keys = storageKeys(options.storagePrefix)
  const listeners = new Set<(status: Status) => void>()
  const inbox = await createInbox({
    store,
    key: keys.core('inbox'),
    officialKey: keys.core('messages_withoutClientAck'),
    onDamaged,
  })
  let lastReceivedAt = 0
  let lastActiveAt = clock.now()
  let cancelProbe = () => {}
  let closed = false

  const connection = createConnection({
    clock,
    WebSocket: options.WebSocket ?? WebSocket,
    url: async () =>
      toRelayUrl({ relayUrl, projectId, token: await keychain.relayToken(relayUrl, clock.now()) }),
    onText,
    onOpen() {
      lastReceivedAt = clock.now()
      requests.opened()
      subscriptions.opened()
    },
    onDown() {
      requests.down()
      subscriptions.down()
    },
    onStatus(status) {
      if (status.status === 'refused') rejectAll(toRefusal(status.reason))
      for (const listener of listeners) listener(status)
    },
  })
  const isOpen = () => !closed && connection.status().status === 'connected'
  const requests = createRequests({
    clock,
    isOpen,
    send: (text) => connection.send(text),
    onSilence() {
      if (clock.now() - lastReceivedAt >= silenceMs) connection.replace()
    },
  })
  const subscriptions = await createSubscriptions({
    store,
    key: keys.core('subscription'),
    clock,
    request: (method, what) => requests.request(method, what),
    isOpen,
    clientId: () => keychain.clientId(),
    onDamaged,
  })
  const stopWatching = watchResume({ clock, onResume: wake, onTick: tick })

  function rejectAll(error: RelayError) {
    requests.rejectAll(error)
    subscriptions.rejectAll(error)
  }

  /** @throws {RelayError} at once when there will be no socket. */
  function want() {
    if (closed) throw new RelayError('The client is closed.')
    connection.open()
    const { status, reason } = connection.status()
    if (status === 'refused') throw toRefusal(reason)
  }

  async function request(method: string, params: () => Record<string, unknown>) {
    want()
    await requests.request(method, { params })
  }

  function onText(text: string) {
    lastReceivedAt = clock.now()
    const message = parseJson(text)
    if (requests.take(message)) return
    const push = v.safeParse(RelayPush, message)
    if (push.success) void receive(push.output)
  }

  async function receive({ id, params: { data } }: Push) {
    const { topic, message, publishedAt, attestation } = data
    if (subscriptions.has(topic))
      await inbox.take({ topic, message, publishedAt, ...(attestation ? { attestation } : {}) })
    // The relay missed that this topic is over.
    else await subscriptions.remove(topic)
    connection.send(JSON.stringify({ id, jsonrpc: '2.0', result: true }))
  }

  function wake() {
    if (connection.status().status === 'connected') probe()
    else connection.retryNow()
  }

  function probe() {
    const [topic] = subscriptions.topics()
    if (topic === undefined) return
    const askedAt = clock.now()
    requests
      .request('irn_batchSubscribe', { bound: true, params: () => ({ topics: [topic] }) })
      // Only that something comes back matters.
      .catch(() => {})
    cancelProbe()
    cancelProbe = clock.later(() => {
      if (lastReceivedAt < askedAt) connection.replace()
    }, probeMs)
  }

  function tick() {
    const now = clock.now()
    if (requests.size() > 0 || subscriptions.topics().length > 0) lastActiveAt = now
    if (connection.status().status === 'idle') return
    if (now - lastActiveAt >= restMs) connection.rest()
    else if (connection.status().status === 'connected' && now - lastReceivedAt >= quietMs) probe()
  }

  async function publish(topic: string, message: string, { analytics, ...rest }: PublishOptions) {
    await request('irn_publish', () => ({ topic, message, ...rest, ...analytics }))
  }

  return {
    preconnect() {
      if (closed) return
      lastActiveAt = clock.now()
      connection.open()
    },
    publish,
    async proposeSession({ attestation, ...rest }) {
      const { pairingTopic, sessionProposal, correlationId } = rest
      const { ttlSeconds: ttl, ...kind } = relaySessionPublishes.sessionProposal
      const params = () => {
        const token = attestation?.()
        return { ...rest, ttl, ...(token ? { attestation: token } : {}) }
      }
      await orElse(
        () => subscriptions.addWith(pairingTopic, () => request('wc_proposeSession', params)),
        async () => {
          await subscriptions.add(pairingTopic)
          const token = attestation?.()
          await publish(pairingTopic, sessionProposal, {
            ...kind,
            ttl,
            analytics: { correlationId },
            ...(token ? { attestation: token } : {}),
          })
        },
      )
    },
    async approveSession(parameters) {
      const { pairingTopic, sessionTopic, correlationId } = parameters
      const { sessionProposalResponse, sessionSettlementRequest } = parameters
      const analytics = { correlationId }
      const { sessionProposalResponse: response, sessionSettlementRequest: settlement } =
        relaySessionPublishes
      const params = () => ({ ...parameters, ttl: response.ttlSeconds })
      await orElse(
        () => subscriptions.addWith(sessionTopic, () => request('wc_approveSession', params)),
        async () => {
          await subscriptions.add(sessionTopic)
          const { ttlSeconds: ttl } = response
          const { tag, prompt } = settlement
          await publish(sessionTopic, sessionSettlementRequest, { tag, prompt, ttl, analytics })
          const answer = { tag: response.tag, prompt: response.prompt, ttl, analytics }
          await publish(pairingTopic, sessionProposalResponse, answer)
        },
      )
    },
    async subscribe(topic) {
      want()
      await subscriptions.add(topic)
    },
    async unsubscribe(topic) {
      await subscriptions.remove(topic)
      await inbox.forget(topic)
    },
    onMessage(listener) {
      inbox.listen(listener)
      if (subscriptions.topics().length > 0) connection.open()
    },
    status: () => connection.status(),
    onStatus(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
      stopWatching()
      cancelProbe()
      inbox.close()
      connection.close()
      rejectAll(new RelayError('The client was closed.'))
      listeners.clear()
    },
  }
}

/** Older relays know neither of the two methods. @see contracts/relay.md 2.2 */
async function orElse(first: () => Promise<void>, otherwise: () => Promise<void>) {
  try {
    await first()
  } catch (error) {
    if (!(error instanceof RefusedRequestError && error.isUnknownMethod)) throw error
    await otherwise()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No schema takes it: it is dropped.
    return undefined
  }
}

function toRefusal(details = '') {
  const isClock = details === relayRefusals.jwtNotYetValid || details === relayRefusals.jwtExpired
  return new RelayError(
    isClock
      ? 'The clock of this device is wrong: set it and try again.'
      : 'The relay refuses this client.',
    { details },
  )
}
