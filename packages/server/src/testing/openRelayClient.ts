import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import {
  signRelayJwt,
  toDidKey,
  type RelayMethod,
  type RelayParams,
} from '@gatefold/protocol/relay'
import { WebSocket } from 'ws'

/** A client's key and id. */
export type RelayIdentity = { privateKey: KeyObject; publicKey: Uint8Array; clientId: string }

export function createRelayIdentity(): RelayIdentity {
  const keys = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x!, 'base64url')
  return { privateKey: keys.privateKey, publicKey, clientId: toDidKey(publicKey) }
}

/** Signs a token like those of official clients. `claims` overrides the default claims. */
export function makeRelayToken(identity: RelayIdentity, aud: string, claims?: object): string {
  const iat = Math.floor(Date.now() / 1000)
  const defaults = { sub: randomBytes(32).toString('hex'), aud, iat, exp: iat + 86_400 }
  return signRelayJwt({
    publicKey: identity.publicKey,
    sign: (message) => sign(null, message, identity.privateKey),
    claims: { ...defaults, ...claims },
  })
}

export type RelayClientOptions = {
  identity?: RelayIdentity
  /** Overrides query parameters; `undefined` removes one. */
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  /** Overrides claims of the default token. */
  claims?: object
  /** Whether pushes are acknowledged; `true` by default. */
  acknowledges?: boolean
}

export type Pushed = {
  id: number
  params: {
    id: string
    data: {
      topic: string
      message: string
      publishedAt: number
      tag: number
      attestation?: string | null
    }
  }
}

export type Answered = { id: unknown; result?: unknown; error?: { code: number; data: string } }

/** The URL to which a client connects. `url` is that of the relay, `ws://…`. */
export function relayUrl(url: string, options: RelayClientOptions = {}): string {
  const { identity = createRelayIdentity(), query, claims } = options
  const entries = Object.entries<string | undefined>({
    auth: makeRelayToken(identity, url, claims),
    projectId: 'default',
    ua: 'wc-2/js-2.21.3/linux-24/node',
    useOnCloseEvent: 'true',
    ...query,
  })
  const search = new URLSearchParams()
  for (const [name, value] of entries) if (value !== undefined) search.set(name, value)
  return `${url}/?${search}`
}

export type RelayClient = Awaited<ReturnType<typeof openRelayClient>>

/** Connects a minimal relay client with a real socket. It records everything that it receives. */
export async function openRelayClient(url: string, options: RelayClientOptions = {}) {
  const { identity = createRelayIdentity(), acknowledges = true, headers } = options
  const socket = new WebSocket(relayUrl(url, { ...options, identity }), { headers })
  /** Every received frame, in order. */
  const texts: string[] = []
  const pushes: Pushed[] = []
  const answers = new Map<string, (answer: Answered) => void>()
  let lastId = 0

  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  socket.on('message', (data) => {
    const text = (data as Buffer).toString()
    texts.push(text)
    for (const message of [JSON.parse(text) as Pushed & { method?: string }].flat()) {
      if (message.method === undefined) {
        answers.get(JSON.stringify(message.id))?.(message)
        continue
      }
      pushes.push(message)
      if (acknowledges) acknowledge(message)
    }
  })
  function acknowledge({ id }: { id: number }) {
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: true }))
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})

  async function request(
    method: string,
    params: unknown,
    id: unknown = nextId(),
  ): Promise<Answered> {
    const answer = new Promise<Answered>((resolve) => answers.set(JSON.stringify(id), resolve))
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
    return answer
  }
  function nextId() {
    lastId += 1
    return `${1_795_230_077_407_321_600n + BigInt(lastId)}`
  }

  return {
    socket,
    identity,
    clientId: identity.clientId,
    texts,
    pushes,
    closed,
    request,
    acknowledge,
    /** The texts of the messages pushed so far. */
    get messages() {
      return pushes.map(({ params }) => params.data.message)
    },
    /** Sends a request; throws on an error response. */
    async call<Method extends RelayMethod>(method: Method, params: RelayParams<Method>) {
      const answer = await request(method, params)
      if (answer.error) throw new Error(JSON.stringify(answer.error))
      return answer.result
    },
    async publish(topic: string, message: string, more: object = {}) {
      return (await request('irn_publish', { topic, message, ttl: 300, tag: 1108, ...more })).result
    },
    /** Destroys the socket without a close frame. */
    async drop() {
      socket.terminate()
      await closed
    },
    async close() {
      socket.close()
      await closed
    },
  }
}
