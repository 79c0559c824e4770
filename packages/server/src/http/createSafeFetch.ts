import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect as connectTcp, isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { BaseError, limits } from '@gatefold/protocol'
import { createSlots, NoSlotError, type Slots } from './createSlots.ts'
import { currentClient } from './currentClient.ts'
import { isPublicAddress } from './isPublicAddress.ts'
import { readUpTo } from './readUpTo.ts'

/**
 * Fetches an untrusted URL.
 *
 * @throws {SafeFetchError} because of the URL or its host; {@link NoSlotError} if it could not be sent because of other
 *   fetches, which must not be cached.
 */
export type SafeFetch = (url: string, options: SafeFetchOptions) => Promise<Fetched>

export type SafeFetchOptions = {
  /** Accepted content types, without parameters, such as `application/json` or `image/*`. */
  types: readonly string[]
  /** Maximum size of the decompressed body. */
  maxBytes: number
  /** Timeout of everything together, except waiting for a slot: DNS, redirects, body. */
  timeoutMs?: number
  /**
   * Whether the host is from the configuration and may therefore be private.
   * Does not apply to redirects.
   */
  isConfigured?: boolean
}

export type Fetched = {
  bytes: Uint8Array<ArrayBuffer>
  /** The content type without parameters, in lower case. */
  type: string
}

/** Allowed ports of untrusted URLs. */
const allowedPorts = ['', '80', '443']
const maxUrlLength = 2_048
/** Maximum number of concurrent fetches. */
const fetchesAtOnce = 16
/** Maximum number of concurrent fetches for one client address. */
const fetchesPerAddress = 8
/** Maximum number of concurrent fetches from one host. */
const fetchesPerHost = 8
/** Maximum number of concurrent fetches from one host for one client address. */
const hostFetchesPerAddress = 4
/** Maximum number of fetches that wait, in total and for one host. */
const waitingFetches = 500
/** Maximum number of these for one client address. */
const waitingFetchesPerAddress = 50
/** Maximum wait of a fetch for a slot. */
const slotWaitMs = 6_000

const decompressors: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Creates a function that fetches untrusted URLs without giving access to the
 * operator's network.
 *
 * Only http and https, on ports 80 and 443, without user name and password. Every address of the host must be public,
 * and the socket connects only to the addresses that were checked, so that a second DNS answer has no effect.
 * Redirects are followed with the same checks. Time, size (after decompression), redirects and concurrency are limited.
 * Clients take turns, also in the queue of one host. No cookies or credentials are sent.
 *
 * @param options.privateHosts - hosts with their port (`localhost:8080`) that the operator allows although they are
 *   private.
 * @param options.waitMs - maximum wait for a slot.
 * @param options.resolve - resolves the name of a host to its IP addresses.
 * @param options.connect - opens a TCP connection, for tests.
 * @see docs/threats.md#requests-to-other-hosts
 */
export function createSafeFetch(
  options: {
    privateHosts?: readonly string[] | undefined
    waitMs?: number
    resolve?: (hostname: string, signal: AbortSignal) => Promise<string[]>
    connect?: (options: TcpNetConnectOpts) => ReturnType<typeof connectTcp>
  } = {},
): SafeFetch {
  const { resolve = resolvePublic, connect = connectTcp, waitMs = slotWaitMs } = options
  const privateHosts = new Set(options.privateHosts?.map((host) => host.toLowerCase()))
  const allSlots = createSlots({
    all: fetchesAtOnce,
    perKey: fetchesPerAddress,
    waiting: waitingFetches,
    waitingPerKey: waitingFetchesPerAddress,
  })
  /** The slots of a host while fetches use them or wait for them. */
  const hosts = new Map<string, { slots: Slots; fetches: number }>()

  /** Runs a fetch once its client has a slot for the host and one of all. */
  async function inSlot<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const host = hosts.get(name) ?? { slots: createHostSlots(), fetches: 0 }
    hosts.set(name, host)
    host.fetches += 1
    const client = currentClient()
    const signal = AbortSignal.timeout(waitMs)
    try {
      return await host.slots.run(client, signal, async () => allSlots.run(client, signal, run))
    } finally {
      host.fetches -= 1
      if (host.fetches === 0) hosts.delete(name)
    }
  }

  return async (text, { types, maxBytes, timeoutMs = limits.nftFetchMs, isConfigured = false }) => {
    let url = parseUrl(text)
    let leftMs = timeoutMs
    let isLate = false

    /** Sends one request, in the time that is left. */
    async function request(isTrusted: boolean) {
      const start = performance.now()
      const signal = AbortSignal.timeout(leftMs)
      try {
        const addresses = await findAddresses(url, isTrusted, signal)
        return await receive(await send(url, { addresses, types, signal }), { types, maxBytes })
      } finally {
        isLate = signal.aborted
        leftMs = Math.max(0, Math.floor(leftMs - (performance.now() - start)))
      }
    }

    try {
      for (let redirects = 0; redirects <= limits.nftRedirects; redirects++) {
        const isTrusted = (isConfigured && redirects === 0) || privateHosts.has(hostOf(url))
        const result = await inSlot(url.host, async () => request(isTrusted))
        if ('bytes' in result) return result
        const next = parseUrl(result.location, url)
        if (url.protocol === 'https:' && next.protocol === 'http:')
          throw new SafeFetchError('url', 'redirects from https to http')
        url = next
      }
    } catch (error) {
      if (error instanceof SafeFetchError || error instanceof NoSlotError) throw error
      if (isLate) throw new SafeFetchError('time', `took longer than ${timeoutMs} ms`)
      throw new SafeFetchError('unreachable', 'cannot be reached', error)
    }
    throw new SafeFetchError('redirects', `redirects more than ${limits.nftRedirects} times`)
  }

  /** The addresses of a host, all of which are allowed. */
  async function findAddresses(
    { hostname, port }: URL,
    isTrusted: boolean,
    signal: AbortSignal,
  ): Promise<string[]> {
    const host = withoutBrackets(hostname)
    if (isTrusted)
      return isIP(host) > 0
        ? [host]
        : (await lookup(host, { all: true })).map(({ address }) => address)
    if (!allowedPorts.includes(port))
      throw new SafeFetchError('port', `has the port ${port}; allowed ports: 80, 443`)
    const addresses = isIP(host) > 0 ? [host] : await resolve(host, signal)
    if (addresses.length === 0) throw new SafeFetchError('unreachable', 'has no address')
    if (!addresses.every(isPublicAddress))
      throw new SafeFetchError('address', 'is in a private network')
    return addresses
  }

  async function send(
    url: URL,
    {
      addresses,
      types,
      signal,
    }: { addresses: string[]; types: readonly string[]; signal: AbortSignal },
  ): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:'
    const host = withoutBrackets(url.hostname)
    const target = {
      host,
      port: Number(url.port || (isTls ? 443 : 80)),
      lookup: pinTo(addresses),
    }
    const { promise, resolve: respond, reject } = Promise.withResolvers<IncomingMessage>()
    const request = (isTls ? requestHttps : requestHttp)(url, {
      headers: {
        accept: types.join(', '),
        'accept-encoding': 'gzip, deflate, br',
        host: url.host,
        'user-agent': 'gatefold',
      },
      maxHeaderSize: 16 * 1024,
      signal,
      createConnection: () =>
        isTls
          ? connectTls({
              ...target,
              ALPNProtocols: ['http/1.1'],
              ...(isIP(host) === 0 && { servername: host }),
            })
          : connect(target),
    })
    request.once('response', respond)
    request.on('error', reject)
    request.end()
    return promise
  }
}

/** Slots of one host, by client address. */
function createHostSlots(): Slots {
  return createSlots({
    all: fetchesPerHost,
    perKey: hostFetchesPerAddress,
    waiting: waitingFetches,
    waitingPerKey: waitingFetchesPerAddress,
  })
}

/** Reads a response: where it redirects to, or its body. */
async function receive(
  response: IncomingMessage,
  { types, maxBytes }: Pick<SafeFetchOptions, 'types' | 'maxBytes'>,
): Promise<Fetched | { location: string }> {
  try {
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400 && headers.location)
      return { location: headers.location }
    if (statusCode !== 200) throw new SafeFetchError('status', `responds with ${statusCode}`)
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!types.some((accepted) => isOfType(type, accepted)))
      throw new SafeFetchError('type', `has the content type ${type.slice(0, 100) || '(none)'}`)
    const bytes = await readBody(response, maxBytes)
    return { bytes, type }
  } finally {
    response.destroy()
  }
}

/** Counts the bytes after decompression, so that a small response cannot become a large one. */
async function readBody(response: IncomingMessage, maxBytes: number) {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const decompress = decompressors[encoding]
  if (!decompress && encoding !== 'identity')
    throw new SafeFetchError('type', `has the content encoding ${encoding.slice(0, 100)}`)
  const body = decompress ? pipeline(response, decompress(), () => {}) : response
  const bytes = await readUpTo(body, maxBytes)
  if (!bytes) throw new SafeFetchError('size', `is larger than ${maxBytes} bytes`)
  return new Uint8Array(bytes)
}

/** Whether a content type is the accepted one, or belongs to it if that ends with `/*`. */
function isOfType(type: string, accepted: string): boolean {
  return accepted.endsWith('/*') ? type.startsWith(accepted.slice(0, -1)) : type === accepted
}

/** Answers the lookup of a connection with addresses that were checked. */
function pinTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) =>
    options.all ? callback(null, all) : callback(null, addresses[0]!, isIP(addresses[0]!))
}

function parseUrl(text: string, base?: URL): URL {
  const url = text.length <= maxUrlLength ? URL.parse(text, base) : null
  if (!url) throw new SafeFetchError('url', 'is not a URL, or is too long')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SafeFetchError('url', `has the scheme ${url.protocol.slice(0, 20)}`)
  if (url.username || url.password)
    throw new SafeFetchError('url', 'contains a user name or password')
  return url
}

/** The host with its port, even if that is the default one. */
function hostOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** The address of an IPv6 host, which has brackets in a URL. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Resolves a name in the DNS. Does not use the resolver of the operating system, which reads the hosts file and blocks
 * a thread that the whole process needs until a slow DNS server answers.
 */
async function resolvePublic(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/**
 * An untrusted URL was not fetched. Its message completes "The URL …" and
 * contains nothing of the response's body.
 */
export class SafeFetchError extends BaseError {
  override name = 'SafeFetchError'
  readonly reason: SafeFetchError.Reason
  constructor(reason: SafeFetchError.Reason, what: string, cause?: unknown) {
    super(`The URL ${what}.`, {
      code: `fetch.${reason}`,
      docsPath: 'docs/threats.md#requests-to-other-hosts',
      ...(cause !== undefined && { cause }),
    })
    this.reason = reason
  }
}

export declare namespace SafeFetchError {
  type Reason =
    | 'url'
    | 'port'
    | 'address'
    | 'unreachable'
    | 'status'
    | 'type'
    | 'size'
    | 'redirects'
    | 'time'
}
