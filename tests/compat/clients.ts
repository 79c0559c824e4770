import {
  type AuthRequest,
  createSignClient,
  formatAuthMessage,
  type KeyValueStore,
  type Session,
  type SignClient,
  type SignClientOptions,
  type SignEvents,
} from '@gatefold/sign'
import {
  whenSettled,
  metadataOf,
  openOfficial,
  type Official,
  type OfficialOptions,
  type OfficialVersion,
} from './officialClients.ts'

/** A version of the official clients, or our client. */
export type Version = OfficialVersion | 'gatefold'
export const apps = ['2.21.3', '2.21.8', 'gatefold'] as const satisfies Version[]
export const wallets = ['2.21.3', '2.21.8', 'walletkit', 'gatefold'] as const satisfies Version[]

/** Every app with every wallet, except our app with our wallet. */
export const pairings = apps.flatMap((app) =>
  wallets
    .filter((wallet) => app !== wallet || app !== 'gatefold')
    .map((wallet) => ({ app, wallet })),
)

/**
 * For slow cases: 2.21.3, 2.21.8 and our client, each at least once as the app and once as the
 * wallet.
 */
export const fewPairings = [
  { app: '2.21.3', wallet: 'walletkit' },
  { app: '2.21.8', wallet: '2.21.3' },
  { app: '2.21.8', wallet: 'gatefold' },
  { app: 'gatefold', wallet: '2.21.8' },
] as const satisfies { app: Version; wallet: Version }[]

/** A client of any version, with our interface. Values have the same shapes in all versions. */
export type Client = Pick<
  SignClient,
  | 'sessions'
  | 'proposals'
  | 'pendingRequests'
  | 'pairings'
  | 'connect'
  | 'authenticate'
  | 'request'
  | 'approve'
  | 'reject'
  | 'update'
  | 'extend'
  | 'respond'
  | 'emit'
  | 'approveSessionAuthenticate'
  | 'rejectSessionAuthenticate'
  | 'ping'
  | 'disconnect'
  | 'on'
  | 'close'
> & {
  version: Version
  pair(parameters: { uri: string }): Promise<unknown>
  clientId(): Promise<string>
  formatAuthMessage(parameters: { request: AuthRequest['authPayload']; iss: string }): string
  isConnected(): boolean
  /** The official client behind this interface. */
  official?: Official['client']
  ours?: SignClient
}

export type ClientOptions = OfficialOptions & {
  ours?: Partial<SignClientOptions>
}

/** Opens a client of any version. */
export async function openClient(version: Version, options: ClientOptions): Promise<Client> {
  if (version !== 'gatefold') {
    const official = await openOfficial(version, options)
    await whenSettled(official.client)
    return toClient(official)
  }
  const { relayUrl, projectId, store, ours } = options
  const client = createSignClient({
    relayUrl,
    projectId,
    storage: store,
    metadata: metadataOf(options),
    ...ours,
  })
  await client.ready()
  let isConnected = false
  client.on('relay', ({ status }) => (isConnected = status === 'connected'))
  return {
    version,
    ours: client,
    ...client,
    formatAuthMessage: ({ request, iss }) => formatAuthMessage(request, iss),
    isConnected: () => isConnected,
  }
}

/** Wraps an official client in our client's interface. */
function toClient({ version, client, kit, close }: Official): Client {
  // Only the types differ; the tests check that the shapes are equal.
  const like = (method: unknown) => method as never
  return {
    version,
    official: client,
    clientId: () => client.core.crypto.getClientId(),
    isConnected: () => client.core.relayer.connected,
    sessions: () => client.session.getAll() as readonly Session[],
    proposals: like(() => client.proposal.getAll()),
    pendingRequests: like(() => client.pendingRequest.getAll()),
    pairings: like(() => client.core.pairing.getPairings()),
    connect: like(async (parameters: never) => {
      const { uri, approval } = await client.connect(parameters)
      return { uri, approval: callImmediately(approval) }
    }),
    async authenticate({ walletUniversalLink, ...parameters }) {
      const { uri, response } = await client.authenticate(parameters as never, walletUniversalLink)
      return { uri, expiresAt: 0, approval: callImmediately(response) as never }
    },
    request: like(client.request),
    pair: ({ uri }) => (kit ? kit.pair({ uri }) : client.pair({ uri })),
    async approve(parameters) {
      if (!kit) return client.approve(parameters as never) as never
      const session = (await kit.approveSession(parameters as never)) as Session
      return { topic: session.topic, acknowledged: async () => session }
    },
    reject: like(kit ? kit.rejectSession.bind(kit) : client.reject),
    update: like(kit ? kit.updateSession.bind(kit) : client.update),
    extend: like(kit ? kit.extendSession.bind(kit) : client.extend),
    respond: like(kit ? kit.respondSessionRequest.bind(kit) : client.respond),
    emit: like(kit ? kit.emitSessionEvent.bind(kit) : client.emit),
    approveSessionAuthenticate: like(
      kit ? kit.approveSessionAuthenticate.bind(kit) : client.approveSessionAuthenticate,
    ),
    rejectSessionAuthenticate: like(
      kit ? kit.rejectSessionAuthenticate.bind(kit) : client.rejectSessionAuthenticate,
    ),
    formatAuthMessage: like(client.formatAuthMessage),
    ping: client.ping,
    disconnect: ({ topic, reason = userDisconnected }) =>
      kit ? kit.disconnectSession({ topic, reason }) : client.disconnect({ topic, reason }),
    on(name, listener) {
      client.on(name as never, listener as never)
      return () => client.off(name as never, listener as never)
    },
    close,
  }
}

/**
 * Calls `approval()` immediately. An official client loses a response that arrives before
 * `approval()` is called, and rejects after five minutes. The cause is `createDelayedPromise` in
 * src/misc.ts, line 307, of `@walletconnect/utils` 2.21.3 to 2.21.8: without its timer, `resolve`
 * does nothing.
 */
function callImmediately<answer>(approval: () => Promise<answer>) {
  const answer = approval()
  // Some tests do not await the approval.
  answer.catch(() => {})
  return () => answer
}

export const userRejected = { code: 5000, message: 'User rejected.' }
export const userDisconnected = { code: 6000, message: 'User disconnected.' }

/** Resolves with a client's next event of this name. */
export function next<name extends keyof SignEvents>(client: Client, name: name) {
  return new Promise<SignEvents[name]>((resolve) => {
    const stop = client.on(name, (event) => {
      stop()
      resolve(event)
    })
  })
}

export const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const account = `eip155:1:${address}`

/** The proposed namespaces. */
export const requested = {
  eip155: {
    chains: ['eip155:1', 'eip155:10'],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

/** The approved namespaces. */
export const granted = {
  eip155: { ...requested.eip155, chains: ['eip155:1'], accounts: [account] },
}

type ConnectParameters = Parameters<SignClient['connect']>[0]
type ApproveParameters = Parameters<SignClient['approve']>[0]

/** Pairs an app with a wallet, and waits until the wallet has the proposal. */
export async function propose(
  app: Client,
  wallet: Client,
  parameters: ConnectParameters = { optionalNamespaces: requested },
) {
  const proposed = next(wallet, 'session_proposal')
  const { uri, approval } = await app.connect(parameters)
  if (uri) await wallet.pair({ uri })
  return { proposal: await proposed, approval, uri }
}

/** Connects an app with a wallet, and waits until both have the session. */
export async function settle(
  app: Client,
  wallet: Client,
  parameters?: ConnectParameters,
  approve: Partial<ApproveParameters> = {},
) {
  const { proposal, approval } = await propose(app, wallet, parameters)
  const { acknowledged } = await wallet.approve({
    id: proposal.id,
    namespaces: granted,
    ...approve,
  })
  const [session] = await Promise.all([approval(), acknowledged()])
  return session
}

export const signing = { method: 'personal_sign', params: ['0x68656c6c6f', address] }

/** Sends a request that the wallet answers. @returns the result */
export async function sign(
  app: Client,
  wallet: Client,
  topic: string,
  result: unknown = '0xsigned',
) {
  const event = next(wallet, 'session_request')
  const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
  const { id } = await event
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result } })
  return answer
}

/**
 * The reason with which a promise rejects. Official clients reject with a string, an error, or the
 * peer's error.
 */
export async function rejectionOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    if (typeof error === 'string') return { message: error }
    return (error as { reason?: { message: string } }).reason ?? (error as { message: string })
  }
  throw new Error('The promise did not reject.')
}

export function sessionOf(client: Client, topic: string) {
  return client.sessions().find((session) => session.topic === topic)
}

/** A store that outlives a client. */
export function createStore(): KeyValueStore {
  const values = new Map<string, string>()
  return {
    getItem: async (key) => values.get(key),
    setItem: async (key, value) => void values.set(key, value),
    removeItem: async (key) => void values.delete(key),
    getKeys: async () => [...values.keys()],
  }
}
