import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@gatefold/server'
import {
  createSignClient,
  type SignClient,
  type SignClientOptions,
  type SignEvents,
} from '@gatefold/sign'
import { afterEach, beforeEach } from 'vitest'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import {
  defaultProjectId,
  findProject,
  saveProject,
} from '../../packages/server/src/storage/projects.ts'
import { deadlineMs } from '../../packages/sign/src/relayer/createRequests.ts'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'

/**
 * Starts a relay and a verify service, and creates clients that use them. `end` stops everything.
 *
 * @param allowedOrigins - allowed in addition to local origins
 */
export async function startClients(allowedOrigins: readonly string[] = []) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-sign-'))
  const server = await startServer({
    roles: ['relay', 'verify'],
    port: 0,
    dataDir,
    rpcUrls: {},
    shutdownSeconds: 1,
    logLevel: 'silent',
  })
  const storage = await openStorage({ dataDir })
  const project = (await findProject(storage.db, defaultProjectId))!
  const origins = [...project.allowedOrigins, ...allowedOrigins]
  await saveProject(storage.db, { ...project, allowedOrigins: origins }, Date.now())
  await storage.close()
  const relayUrl = `ws://localhost:${server.port}`
  const clients: SignClient[] = []

  return {
    relayUrl,
    verifyUrl: `${server.url}/v3`,
    create(name: string, options: Partial<SignClientOptions> = {}) {
      const client = createSignClient({ relayUrl, metadata: metadataOf(name), ...options })
      clients.push(client)
      return client
    },
    async end() {
      // The server stops even if a client fails to close.
      await Promise.allSettled(clients.map((client) => client.close()))
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Calls `startClients` before each test in a file; `end` runs even if the test fails. */
export function useClients(): Clients {
  let clients: Clients | undefined
  beforeEach(async () => {
    clients = await startClients()
  })
  afterEach(() => clients?.end())
  return {
    get relayUrl() {
      return clients!.relayUrl
    },
    get verifyUrl() {
      return clients!.verifyUrl
    },
    create: (name, options) => clients!.create(name, options),
    end: () => clients!.end(),
  }
}

type Clients = Awaited<ReturnType<typeof startClients>>

export function metadataOf(name: string) {
  return { name, description: '', url: `https://${name}.example`, icons: [] }
}

export const account = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export const requested = {
  eip155: {
    chains: ['eip155:1'],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

export const granted = { eip155: { ...requested.eip155, accounts: [account] } }

/**
 * Creates a manual clock that tells whether requests to the relay wait for their responses. A jump of 60 s would end
 * them.
 */
export function createRelayClock() {
  const clock = createManualClock()
  const deadlines = new Set<object>()
  return {
    ...clock,
    later(run: () => void, delayMs: number) {
      const timer = {}
      if (delayMs === deadlineMs) deadlines.add(timer)
      const cancel = clock.later(() => {
        deadlines.delete(timer)
        run()
      }, delayMs)
      return () => {
        deadlines.delete(timer)
        cancel()
      }
    },
    /** Whether the relay has responded to all requests. */
    isIdle: () => deadlines.size === 0,
  }
}

/** Resolves with the next event. */
export function next<event>(subscribe: (listener: (event: event) => void) => () => void) {
  return new Promise<event>((resolve) => {
    const stop = subscribe((event) => {
      stop()
      resolve(event)
    })
  })
}

/**
 * Proposes a session to a wallet, which pairs with the URI unless an existing pairing is used.
 *
 * @returns the result of `connect`, with the proposal's id and pairing topic
 */
export async function propose(
  app: SignClient,
  wallet: SignClient,
  parameters: Parameters<SignClient['connect']>[0] = {},
) {
  const proposed = proposalOf(wallet)
  const proposal = await app.connect({ optionalNamespaces: requested, ...parameters })
  if (proposal.uri) await wallet.pair({ uri: proposal.uri })
  const { id, params } = await proposed
  return { ...proposal, id, pairingTopic: params.pairingTopic }
}

/** Connects an app with a wallet that approves everything. */
export async function settle(app: SignClient, wallet: SignClient) {
  const { id, approval } = await propose(app, wallet)
  const { topic, acknowledged } = await wallet.approve({ id, namespaces: granted })
  const [session] = await Promise.all([approval(), acknowledged()])
  return { topic, session }
}

/** The request that most tests send. */
export const signing = { method: 'personal_sign', params: ['0x68', account] }
/** The next proposal of a wallet. */
export const proposalOf = (wallet: SignClient) =>
  next<SignEvents['session_proposal']>((listener) => wallet.on('session_proposal', listener))
/** The next request of a wallet. */
export const requestOf = (wallet: SignClient) =>
  next<{ id: number; params: unknown }>((listener) => wallet.on('session_request', listener))
