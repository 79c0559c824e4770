import { createKeychain, type Keychain } from '../crypto/createKeychain.ts'
import { createSymKey } from '../crypto/keys.ts'
import { createEngine, type EngineOptions } from '../engine/createEngine.ts'
import type { Command, Engine, EngineEvent } from '../engine/Engine.ts'
import type { StoredSession } from '../engine/state/schemas.ts'
import { openStores, type Stores } from '../engine/state/stores.ts'
import { toError } from '../errors.ts'
import type { Metadata, Session } from '../Session.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import { createManualClock, type ManualClock } from './createManualClock.ts'
import { createMemoryRelay, type MemoryRelay, type MemoryRelayer } from './createMemoryRelay.ts'

export const startMs = 1_700_000_000_000
export const now = startMs / 1_000
/** The id of a message that is sent at `startMs`. */
export const firstId = startMs * 1_000

export const metadataOf = (name: string): Metadata => ({
  name,
  description: '',
  url: `https://${name}.example`,
  icons: [],
})

export const granted = {
  eip155: {
    accounts: ['eip155:1:0xa', 'eip155:10:0xa'],
    methods: ['personal_sign'],
    events: ['chainChanged'],
  },
}

export type Json = Record<string, unknown> & { id?: number }

export type Peer = {
  keys: Keychain
  relayer: MemoryRelayer
  received: { topic: string; json: Json }[]
  /** Publishes a JSON-RPC message; by default, each has a greater id. @returns its id */
  send: (topic: string, json: Json, attestation?: string) => Promise<number>
  /** Sends a request and waits until it is handled. @returns the response; undefined if there is none */
  ask: (topic: string, method: string, params?: unknown, id?: number) => Promise<Json | undefined>
  /** The received requests for a method. */
  requests: (method: string) => (Json & { params: Record<string, never> })[]
}

/** A peer that can send arbitrary messages: a keychain and a relayer without an engine. */
export async function createPeer(relay: MemoryRelay): Promise<Peer> {
  const keys = await createKeychain({ store: createMemoryStore(), key: 'keys' })
  const relayer = relay.connect()
  const received: Peer['received'] = []
  let lastId = firstId
  relayer.onMessage(async ({ topic, message }) => {
    const { text } = await keys.decode(topic, message)
    received.push({ topic, json: JSON.parse(text) as Json })
  })
  const peer: Peer = {
    keys,
    relayer,
    received,
    async send(topic, json, attestation) {
      const id = json.id ?? (lastId += 1_000)
      const message = keys.encode(topic, JSON.stringify({ jsonrpc: '2.0', ...json, id }))
      await relayer.publish(topic, message, { ttl: 300, tag: 0, prompt: false, attestation })
      await relay.idle()
      return id
    },
    async ask(topic, method, params = {}, id) {
      const sent = await peer.send(topic, { method, params, ...(id !== undefined && { id }) })
      return received.findLast(({ json }) => json.id === sent)?.json
    },
    requests: (method) =>
      received.flatMap(({ json }) => (json['method'] === method ? [json as never] : [])),
  }
  return peer
}

export type Client = {
  engine: Engine
  keys: Keychain
  store: KeyValueStore
  stores: Stores
  relayer: MemoryRelayer
  clock: ManualClock
  /** Advances the time without running timers, as while a machine sleeps. */
  sleep: (ms: number) => void
  /** The emitted events, and the outcomes of commands as `resolved`. */
  events: [name: string, event: unknown][]
  /** Number of reported changes. */
  changes: () => number
  /** Runs a command. @returns its result; rejects with its error */
  run: (command: Command) => Promise<unknown>
}

/** Opens an engine on a relay, with the contents of `store`. */
export async function openEngine(
  relay: MemoryRelay,
  options: Partial<Omit<EngineOptions, 'clock'>> & {
    store?: KeyValueStore
    clock?: ManualClock
  } = {},
): Promise<Client> {
  const { store = createMemoryStore() } = options
  let sleptMs = 0
  const manual = options.clock ?? createManualClock(startMs)
  const clock: ManualClock = { ...manual, now: () => manual.now() + sleptMs }
  const keys = await createKeychain({ store, key: storageKeys().core('keychain') })
  const stores = await openStores({ store, prefix: undefined, onDamaged: () => {} })
  const relayer = relay.connect()
  const events: Client['events'] = []
  let changes = 0
  const engine = await createEngine({
    metadata: metadataOf('client'),
    relay: relayer,
    keys,
    stores,
    verify: undefined,
    disableRequestQueue: false,
    openLink: undefined,
    ethCall: undefined,
    listener: {
      onEvent: (each: EngineEvent) =>
        events.push(
          each.type === 'event'
            ? [each.name, each.event]
            : ['resolved', { id: each.id, ...each.outcome }],
        ),
      onChange: () => (changes += 1),
    },
    ...options,
    clock,
  })
  return {
    engine,
    keys,
    store,
    stores,
    relayer,
    clock,
    sleep: (ms) => void (sleptMs += ms),
    events,
    changes: () => changes,
    async run(command) {
      const outcome = await engine.run(command)
      if ('error' in outcome) throw toError(outcome.error)
      return outcome.result
    },
  }
}

/** Stores entries as a previous run would have. */
export async function seed(store: KeyValueStore, entries: Record<string, readonly unknown[]>) {
  const { client, core, auth } = storageKeys()
  const names: Record<string, string> = {
    sessions: client('session'),
    proposals: client('proposal'),
    requests: client('request'),
    authRequests: auth('requests'),
    pairings: core('pairing'),
    records: core('history'),
  }
  for (const [name, values] of Object.entries(entries))
    await store.setItem(names[name] ?? name, JSON.stringify(values))
}

/** Opens an engine with an active session, and its peer. `session` changes the stored session. */
export async function openSession(
  side: 'app' | 'wallet',
  {
    session: change = {},
    ...options
  }: NonNullable<Parameters<typeof openEngine>[1]> & { session?: Partial<StoredSession> } = {},
) {
  const relay = createMemoryRelay()
  const peer = await createPeer(relay)
  const { store = createMemoryStore() } = options
  const keys = await createKeychain({ store, key: storageKeys().core('keychain') })
  const symKey = createSymKey()
  const topic = await keys.setSymKey(symKey)
  await peer.keys.setSymKey(symKey)
  const own = await keys.createKeyPair()
  const other = await peer.keys.createKeyPair()
  const session: Session = {
    topic,
    pairingTopic: '',
    relay: { protocol: 'irn' },
    expiry: now + 1_000,
    acknowledged: true,
    controller: side === 'wallet' ? own : other,
    namespaces: granted,
    requiredNamespaces: {},
    optionalNamespaces: { eip155: { methods: [], events: [] } },
    self: { publicKey: own, metadata: metadataOf('client') },
    peer: { publicKey: other, metadata: metadataOf('peer') },
    transportType: 'relay',
    ...change,
  }
  await seed(store, { sessions: [session] })
  const client = await openEngine(relay, { ...options, store })
  await peer.relayer.subscribe(topic)
  await relay.idle()
  return { relay, peer, topic, session, symKey, ...client }
}

/** Opens a wallet's engine, and an app with a pairing that the wallet has not scanned yet. */
export async function openWallet(options: Parameters<typeof openEngine>[1] = {}) {
  const relay = createMemoryRelay()
  const peer = await createPeer(relay)
  const client = await openEngine(relay, options)
  const symKey = createSymKey()
  const pairingTopic = await peer.keys.setSymKey(symKey)
  const publicKey = await peer.keys.createKeyPair()
  const proposer = { publicKey, metadata: metadataOf('peer') }
  await peer.relayer.subscribe(pairingTopic)
  return {
    relay,
    peer,
    pairingTopic,
    proposer,
    uri: `wc:${pairingTopic}@2?relay-protocol=irn&symKey=${symKey}`,
    /** Sends a proposal to the wallet. @returns the proposal's id */
    propose: (params: Json = {}, attestation?: string) =>
      peer.send(
        pairingTopic,
        { method: 'wc_sessionPropose', params: { proposer, ...params } },
        attestation,
      ),
    /** The wallet's response to the proposal with this id. */
    answerTo: (id: number) =>
      peer.received.findLast(({ json }) => json.id === id && !('method' in json))?.json,
    ...client,
  }
}
