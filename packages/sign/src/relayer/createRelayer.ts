import {
  RelayPush,
  relayRefusals,
  relaySessionPublishes,
  type RelayPush as Push,
} from '@gatefold/protocol/relay'
import type { Keychain } from '../crypto/createKeychain.ts'
import { RelayError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { PublishOptions, Relayer, RelayMessage } from './Relayer.ts'
import type { Clock } from '../SignClient.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import { createEmitter } from '../createEmitter.ts'
import { systemClock } from '../systemClock.ts'
import { createConnection, type Status } from './createConnection.ts'
import { createInbox } from './createInbox.ts'
import { createPacing } from './createPacing.ts'
import { createRequests, RefusedRequestError } from './createRequests.ts'
import { createSubscriptions } from './createSubscriptions.ts'
import { toRelayUrl } from './toRelayUrl.ts'
import { watchResume } from './watchResume.ts'
import { parseShape } from '../validation/parseShape.ts'

export type RelayerOptions = {
  /** `wss://…`; used unchanged as the audience of the token. */
  relayUrl: string
  projectId?: string | undefined
  keychain: Pick<Keychain, 'clientId' | 'relayToken'>
  store: KeyValueStore
  storagePrefix?: string | undefined
  onDamaged?: ((key: string) => void) | undefined
  clock?: Clock | undefined
  WebSocket?: typeof WebSocket | undefined
}

/** A message with the id of its push, for the acknowledgement. */
type PacedMessage = RelayMessage & { id: Push['id'] }

/** While a request is being repeated, a socket that receives nothing for this long counts as dead. */
const silenceMs = 15_000
/** After a probe, a socket that receives nothing for this long counts as dead. */
const probeTimeoutMs = 5_000
/** A socket that receives nothing for this long is probed, because browsers do not expose pings. */
const probeAfterMs = 120_000
/** A socket without topics and requests is closed after this time. */
const idleTimeoutMs = 30_000

/** Loads stored state. The socket is opened by the first request or, if there are topics, by `onMessage`. */
export async function createRelayer(options: RelayerOptions): Promise<Relayer> {
  const { keychain, relayUrl, projectId, store, onDamaged, clock = systemClock } = options
  const keys = storageKeys(options.storagePrefix)
  const statusChanges = createEmitter<Status>()
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
      requests.onOpen()
      subscriptions.onOpen()
    },
    onClose() {
      requests.onClose()
      subscriptions.onClose()
    },
    onStatus(status) {
      if (status.status === 'refused') rejectAll(toRefusal(status.reason))
      statusChanges.emit(status)
    },
  })
  const isOpen = () => !closed && connection.status().status === 'connected'
  const requests = createRequests({
    clock,
    isOpen,
    send: (text) => connection.send(text),
    onRepeat() {
      if (clock.now() - lastReceivedAt >= silenceMs) connection.reconnect()
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
  const pacing = createPacing({
    clock,
    handle: (message: PacedMessage) => void handle(message),
  })
  const stopWatching = watchResume({ clock, onResume, onTick })

  function rejectAll(error: RelayError) {
    requests.rejectAll(error)
    subscriptions.rejectAll(error)
  }

  /** Opens a socket if there is none. @throws {RelayError} if the client is closed or refused */
  function ensureSocket() {
    if (closed) throw new RelayError('The client is closed.')
    connection.open()
    const { status, reason } = connection.status()
    if (status === 'refused') throw toRefusal(reason)
  }

  async function request(method: string, params: () => Record<string, unknown>) {
    ensureSocket()
    await requests.request(method, { params })
  }

  function onText(text: string) {
    lastReceivedAt = clock.now()
    const message = parseJson(text)
    if (requests.handleResponse(message)) return
    const push = parseShape(RelayPush, message)
    if (push.success) receive(push.output)
  }

  function receive({ id, params: { data } }: Push) {
    const { topic, message, publishedAt, attestation } = data
    const paced = { id, topic, message, publishedAt, ...(attestation ? { attestation } : {}) }
    pacing.add(paced, subscriptions.has(topic) ? topic : 'other topics')
  }

  async function handle({ id, ...message }: PacedMessage) {
    const { topic } = message
    if (subscriptions.has(topic)) {
      if (!(await inbox.add(message))) return
    } else await subscriptions.remove(topic) // the relay did not receive an earlier unsubscribe
    acknowledge(id)
  }

  function acknowledge(id: Push['id']) {
    connection.send(JSON.stringify({ id, jsonrpc: '2.0', result: true }))
  }

  function onResume() {
    if (connection.status().status === 'connected') probe()
    else connection.retryNow()
  }

  /** Checks that the relay still responds. */
  function probe() {
    const [topic] = subscriptions.topics()
    if (topic === undefined) return
    const sentAt = clock.now()
    requests
      .request('irn_batchSubscribe', { perSocket: true, params: () => ({ topics: [topic] }) })
      // An error response proves as well that the relay is alive.
      .catch(() => {})
    cancelProbe()
    cancelProbe = clock.later(() => {
      if (lastReceivedAt < sentAt) connection.reconnect()
    }, probeTimeoutMs)
  }

  function onTick() {
    const now = clock.now()
    if (requests.size() > 0 || subscriptions.topics().length > 0) lastActiveAt = now
    if (connection.status().status === 'idle') return
    const isSilent = now - lastReceivedAt >= probeAfterMs
    if (now - lastActiveAt >= idleTimeoutMs) connection.disconnect()
    else if (connection.status().status === 'connected' && isSilent) probe()
  }

  async function publish(topic: string, message: string, options: PublishOptions) {
    const { analytics, expectsResponse, ...rest } = options
    if (expectsResponse) pacing.expect(topic)
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
      await withFallback(
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
      await withFallback(
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
      ensureSocket()
      await subscriptions.add(topic)
    },
    async unsubscribe(topic) {
      pacing.clear(topic)
      await subscriptions.remove(topic)
      await inbox.clear(topic)
    },
    onMessage(listener) {
      inbox.listen(listener)
      if (subscriptions.topics().length > 0) connection.open()
    },
    status: () => connection.status(),
    onStatus: (listener) => statusChanges.on(listener),
    async close() {
      closed = true
      stopWatching()
      cancelProbe()
      pacing.close()
      inbox.close()
      connection.close()
      rejectAll(new RelayError('The client was closed.'))
      statusChanges.clear()
    },
  }
}

/** Older relays do not support the session methods. @see docs/contracts/relay.md#session-methods */
async function withFallback(send: () => Promise<void>, fallback: () => Promise<void>) {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof RefusedRequestError && error.isUnknownMethod)) throw error
    await fallback()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No schema accepts undefined: the message is ignored.
    return undefined
  }
}

function toRefusal(details = '') {
  const isClock = details === relayRefusals.jwtNotYetValid || details === relayRefusals.jwtExpired
  return new RelayError(
    isClock
      ? 'The clock of this device is wrong. Set it and try again.'
      : 'The relay refuses this client.',
    { details },
  )
}
