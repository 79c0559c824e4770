import { readFileSync, statSync } from 'node:fs'
import { BaseError, CaipNetworkId, limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { SocialSettings } from './frame/social/settings.ts'
import { ChainDataById } from './money/chainData/ChainData.ts'
import { networks } from './money/chainData/networks.ts'
import { SmartAccountSettings, PaymasterKey } from './frame/sponsor/settings.ts'
import { OnrampSettings } from './money/onramp/settings.ts'
import { PriceSettings, RateSettings } from './money/prices/settings.ts'
import { SwapSettings } from './money/swaps/settings.ts'

/** The local chains of the default stack. */
const localRpcUrls = {
  'eip155:31337': ['http://127.0.0.1:8545'],
  'eip155:31338': ['http://127.0.0.1:8546'],
}

/**
 * The local chains are small and have no rate limits, so indexing their history
 * costs nothing.
 */
const localHistory = Object.fromEntries(Object.keys(localRpcUrls).map((id) => [id, 'rpc']))

const whole = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.toNumber(), v.minValue(min), v.maxValue(max))

const onOff = v.pipe(
  v.picklist(['on', 'off']),
  v.transform((word) => word === 'on'),
)

/** Upstreams by CAIP-2 chain id: HTTP URLs, tried in this order. */
const RpcUrls = v.record(
  v.pipe(v.string(), v.regex(CaipNetworkId.pattern)),
  v.pipe(v.array(v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i))), v.minLength(1)),
)

/** The base URL of an IPFS or Arweave gateway; paths are appended to it. */
const GatewayUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^?#]+\/$/i))

/** The source of each chain's history, by CAIP-2 chain id. */
const HistoryById = v.record(
  v.pipe(v.string(), v.regex(/^eip155:\d{1,32}$/, 'must be a CAIP-2 id such as eip155:1')),
  v.union([v.literal('rpc'), v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i))]),
)

/** JSON, or the path of a file that contains it. */
const json = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      const text = dataset.value.trim()
      return JSON.parse(text.startsWith('{') ? text : readFileSync(text, 'utf8')) as unknown
    } catch (error) {
      addIssue({ message: error instanceof Error ? error.message : String(error) })
      return NEVER
    }
  }),
)

/**
 * Every setting, with its environment variable, default, expected value (shown in errors) and purpose.
 * `docs/operators.md` has the same table; a test compares them.
 */
export const settings = {
  roles: {
    variable: 'GATEFOLD_ROLES',
    fallback: undefined,
    expected: 'a comma-separated list of roles such as gateway,relay',
    about:
      'Roles that this process runs: `frame`, `gateway`, `money`, `relay`, `verify`. If unset, the process runs all of them.',
    schema: v.pipe(
      v.string(),
      v.transform((text) => text.split(',').map((role) => role.trim())),
      v.array(v.pipe(v.string(), v.regex(/^[a-z]+$/))),
    ),
  },
  host: {
    variable: 'GATEFOLD_HOST',
    fallback: '127.0.0.1',
    expected: 'an address or host name to listen on',
    about: 'Address to listen on; `0.0.0.0` in a container.',
    schema: v.pipe(v.string(), v.regex(/^[\w.:-]+$/)),
  },
  port: {
    variable: 'GATEFOLD_PORT',
    fallback: '3001',
    expected: 'a port from 0 to 65535 (0: any free port)',
    about: 'Port to listen on. If unset, the server uses 3001 or the next free port.',
    schema: whole(0, 65_535),
  },
  framePort: {
    variable: 'GATEFOLD_FRAME_PORT',
    fallback: '3002',
    expected: 'a port from 0 to 65535 (0: any free port)',
    about:
      'Port of the secure frame (role `frame`), which needs a separate origin. If unset, the server uses 3002 or the next free port.',
    schema: whole(0, 65_535),
  },
  frameSite: {
    variable: 'GATEFOLD_FRAME_SITE',
    fallback: undefined,
    expected: 'the folder of the built site of the secure frame',
    about:
      'Folder with the built site of the secure frame (`index.html` and `assets`). If unset, the frame serves only its API.',
    schema: v.pipe(v.string(), v.nonEmpty()),
  },
  frameUrl: {
    variable: 'GATEFOLD_FRAME_URL',
    fallback: undefined,
    expected: 'an origin such as https://wallet.example',
    about:
      'Public origin of the secure frame, which appears in the proofs of its clients and in links in its mails. If unset, `http://localhost` with the port of the frame.',
    schema: v.pipe(
      v.string(),
      v.url(),
      v.regex(/^https?:\/\/[^/?#@]+\/?$/i),
      v.transform((url) => new URL(url).origin),
    ),
  },
  frameKeys: {
    variable: 'GATEFOLD_FRAME_KEYS',
    fallback: undefined,
    expected: 'the path of a file',
    about:
      'File with the keys of the secure frame: one per line, 32 bytes as base64url. The first key encrypts, all keys decrypt. If unset, `frame.keys` in the data folder, which the server creates with mode 0600. See [Secure frame](#secure-frame).',
    schema: v.pipe(v.string(), v.nonEmpty()),
  },
  escrowKeys: {
    variable: 'GATEFOLD_ESCROW_KEYS',
    fallback: undefined,
    expected: 'the path of a file',
    about:
      'File with the keys of the escrow store, in the same form. If unset, `escrow.keys` in the data folder, which the server creates with mode 0600.',
    schema: v.pipe(v.string(), v.nonEmpty()),
  },
  escrowDatabaseUrl: {
    variable: 'GATEFOLD_ESCROW_DATABASE_URL',
    fallback: undefined,
    expected: 'a PostgreSQL URL such as postgres://user:password@host:5432/name',
    about:
      'PostgreSQL database of the escrow store, which must not be the one in `DATABASE_URL`. If unset, the SQLite file `escrow.db` in the data folder.',
    secret: true,
    schema: v.pipe(v.string(), v.url(), v.regex(/^postgres(ql)?:\/\//)),
  },
  socials: {
    variable: 'GATEFOLD_SOCIALS',
    fallback: '{}',
    expected: 'JSON, or the path of a JSON file, with the social logins of the secure frame',
    about:
      'Social logins of the secure frame, with their keys: `google`, `apple`, `github`, `facebook`, `x`, `discord`, `farcaster`. If unset, visitors can log in only by email. See [Social logins](#social-logins).',
    secret: true,
    schema: v.pipe(json, SocialSettings),
  },
  smtpUrl: {
    variable: 'GATEFOLD_SMTP_URL',
    fallback: undefined,
    expected: 'an SMTP URL such as smtps://user:password@host:465',
    about:
      'SMTP server that sends the mails of the secure frame. If unset, a server that only this machine can reach shows the mails at `/dev/mail`, and other servers refuse logins by email.',
    secret: true,
    schema: v.pipe(v.string(), v.url(), v.regex(/^smtps?:\/\//)),
  },
  mailFrom: {
    variable: 'GATEFOLD_MAIL_FROM',
    fallback: undefined,
    expected: 'an address such as Harbor <no-reply@harbor.example>',
    about: 'Sender of the mails. Required with `GATEFOLD_SMTP_URL`.',
    schema: v.pipe(v.string(), v.regex(/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/)),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: undefined,
    expected: 'a PostgreSQL URL such as postgres://user:password@host:5432/name',
    about:
      'PostgreSQL database to use. If unset, the server uses a SQLite file in the data folder.',
    secret: true,
    schema: v.pipe(v.string(), v.url(), v.regex(/^postgres(ql)?:\/\//)),
  },
  dataDir: {
    variable: 'GATEFOLD_DATA_DIR',
    fallback: '.gatefold',
    expected: 'a folder',
    about:
      'Data folder. It contains the SQLite files `gatefold.db` and `escrow.db`, the key files `frame.keys` and `escrow.keys`, and compiled modules (`compile-cache`). If it does not exist, the server creates it with mode 0700.',
    schema: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.check((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true),
    ),
  },
  redisUrls: {
    variable: 'REDIS_URL',
    fallback: undefined,
    expected: 'Redis URLs such as redis://user:password@host:6379, separated by commas',
    about:
      "Redis that stores the relay's mailboxes and the limits that processes share; any number of processes can use it. Either the URL of a single Redis, or URLs of nodes in a Redis Cluster or of Sentinels, separated by commas. If unset, the mailboxes are in the database, and only one process may run the relay.",
    secret: true,
    schema: v.pipe(
      v.string(),
      v.transform((text) => text.split(',').map((url) => url.trim())),
      v.array(v.pipe(v.string(), v.url(), v.regex(/^rediss?:\/\//))),
    ),
  },
  redisReplicas: {
    variable: 'GATEFOLD_REDIS_REPLICAS',
    fallback: '0',
    expected: 'a number of replicas from 0 to 5',
    about:
      'Number of replicas of each Redis that must confirm a message before the relay acknowledges it (`WAIT`). If all replicas must confirm, a failover loses no acknowledged message.',
    schema: whole(0, 5),
  },
  rpcUrls: {
    variable: 'GATEFOLD_RPC_URLS',
    fallback: JSON.stringify(localRpcUrls),
    expected:
      'JSON, or the path of a JSON file, that maps CAIP-2 chain ids to lists of http(s) URLs',
    about:
      'Upstreams of the JSON-RPC proxy, in order of preference. The default is the local stack.',
    secret: true,
    schema: v.pipe(json, RpcUrls),
  },
  bundlerUrls: {
    variable: 'GATEFOLD_BUNDLER_URLS',
    fallback: '{}',
    expected:
      'JSON, or the path of a JSON file, that maps CAIP-2 ids of EVM chains to lists of http(s) URLs',
    about: 'ERC-4337 bundlers of `POST /v1/bundler`, in order of preference, for smart accounts.',
    secret: true,
    schema: v.pipe(
      json,
      RpcUrls,
      v.check(
        (urls) => Object.keys(urls).every((id) => id.startsWith('eip155:')),
        'must have EVM chains only',
      ),
    ),
  },
  bundlerSponsors: {
    variable: 'GATEFOLD_BUNDLER_SPONSORS',
    fallback: 'off',
    expected: 'on or off',
    about:
      "Whether the methods for sponsoring operations through a paymaster (ERC-7677) are forwarded to the bundlers. Every visitor of a project's sites can then spend the operator's deposit, within the paymaster's policy.",
    schema: onOff,
  },
  smartAccounts: {
    variable: 'GATEFOLD_SMART_ACCOUNTS',
    fallback: '{}',
    expected:
      'JSON, or the path of a JSON file, that maps CAIP-2 ids of EVM chains to the contracts of smart accounts',
    about:
      'Chains on which wallets of the secure frame have a smart account, with the contracts. Each chain needs a bundler in `GATEFOLD_BUNDLER_URLS`. See [Smart accounts](#smart-accounts).',
    schema: v.pipe(json, SmartAccountSettings),
  },
  paymasterKey: {
    variable: 'GATEFOLD_PAYMASTER_KEY',
    fallback: undefined,
    expected: 'the path of a file with a private key, or the key: 0x and 64 hex digits',
    about:
      'Private key that signs the operations that a paymaster in `GATEFOLD_SMART_ACCOUNTS` pays for. If unset, no operation is sponsored.',
    secret: true,
    schema: PaymasterKey,
  },
  chains: {
    variable: 'GATEFOLD_CHAINS',
    fallback: '{}',
    expected: 'JSON, or the path of a JSON file, that maps CAIP-2 ids of EVM chains to chain data',
    about:
      'Contracts and tokens of EVM chains, for balances, prices and swaps. The server has built-in data for twelve networks; an entry here replaces the entire built-in entry. See [Chain data](gateway.md#chain-data).',
    schema: v.pipe(json, ChainDataById),
  },
  ipfsGateway: {
    variable: 'GATEFOLD_IPFS_GATEWAY',
    fallback: undefined,
    expected: 'an http(s) URL that ends with a slash, such as https://ipfs.example/ipfs/',
    about:
      'Gateway for NFT metadata and images at `ipfs://` URIs. If unset, such NFTs are listed without metadata and images.',
    schema: GatewayUrl,
  },
  arweaveGateway: {
    variable: 'GATEFOLD_ARWEAVE_GATEWAY',
    fallback: undefined,
    expected: 'an http(s) URL that ends with a slash, such as https://arweave.example/',
    about: 'Gateway for `ar://` URIs, like `GATEFOLD_IPFS_GATEWAY`.',
    schema: GatewayUrl,
  },
  privateHosts: {
    variable: 'GATEFOLD_PRIVATE_HOSTS',
    fallback: undefined,
    expected: 'hosts with ports such as localhost:8080, separated by commas',
    about:
      'Hosts in private networks from which NFT metadata and images may be loaded, with their ports, separated by commas. Anyone can make the server send GET requests to them, so list only hosts that serve public files.',
    schema: v.pipe(
      v.string(),
      v.transform((text) => text.split(',').map((host) => host.trim())),
      v.array(v.pipe(v.string(), v.regex(/^(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/i))),
    ),
  },
  history: {
    variable: 'GATEFOLD_HISTORY',
    fallback: JSON.stringify(localHistory),
    expected:
      'JSON, or the path of a JSON file, that maps CAIP-2 ids of EVM chains to `rpc` or the URL of a Blockscout instance',
    about:
      'Chains with an account history, each with its source: `rpc` indexes the chain through its upstreams; a URL selects a Blockscout instance. The default is the local stack. See [History](history/README.md).',
    secret: true,
    schema: v.pipe(json, HistoryById),
  },
  historyBackfillBlocks: {
    variable: 'GATEFOLD_HISTORY_BACKFILL_BLOCKS',
    fallback: '10000',
    expected: 'a number of blocks from 0 to 100000000',
    about:
      'Number of older blocks that the indexer reads for a new account, and the maximum number that it reads to catch up after a pause.',
    schema: whole(0, 100_000_000),
  },
  historyAddresses: {
    variable: 'GATEFOLD_HISTORY_ADDRESSES',
    fallback: '10000',
    expected: 'a number of accounts from 1 to 1000000',
    about: 'Maximum number of indexed accounts per chain.',
    schema: whole(1, 1_000_000),
  },
  historyCallsPerSecond: {
    variable: 'GATEFOLD_HISTORY_CALLS_PER_SECOND',
    fallback: '2000',
    expected: 'a number of calls from 1 to 100000',
    about: 'Maximum number of calls per second that the indexer sends to the upstreams of a chain.',
    schema: whole(1, 100_000),
  },
  prices: {
    variable: 'GATEFOLD_PRICES',
    fallback: '{}',
    expected: 'JSON, or the path of a JSON file, with the sources of prices',
    about:
      'Price sources of each chain, in order, and their settings: `pools`, `quotes`, `defillama`. The default is `pools` on every chain. See [Prices](prices/README.md).',
    secret: true,
    schema: v.pipe(json, PriceSettings),
  },
  exchangeRates: {
    variable: 'GATEFOLD_EXCHANGE_RATES',
    fallback: '{}',
    expected: 'JSON, or the path of a JSON file, with exchange rates or a source of them',
    about:
      'Currencies other than the US dollar in which prices can be requested: `fixed` rates, and rates from `frankfurter`. See [Exchange rates](prices/exchange-rates.md).',
    secret: true,
    schema: v.pipe(json, RateSettings),
  },
  swaps: {
    variable: 'GATEFOLD_SWAPS',
    fallback: '{}',
    expected: 'JSON, or the path of a JSON file, with the sources of swaps',
    about:
      'Swap source of each chain, and the settings of the sources, with their keys: `pools`, `0x`, `1inch`. The default is `pools` on every chain. See [Swaps](swaps/README.md).',
    secret: true,
    schema: v.pipe(json, SwapSettings),
  },
  onramp: {
    variable: 'GATEFOLD_ONRAMP',
    fallback: '{}',
    expected: 'JSON, or the path of a JSON file, with the providers of the on-ramp',
    about:
      'On-ramp providers, with their keys: `sandbox`, `meld`, `coinbase`. If unset, nothing can be bought. See [On-ramp](onramp/README.md).',
    secret: true,
    schema: v.pipe(json, OnrampSettings),
  },
  relayUrls: {
    variable: 'GATEFOLD_RELAY_URLS',
    fallback: undefined,
    expected: 'a comma-separated list of ws:// or wss:// URLs',
    about:
      "Public URLs of the relay, separated by commas. The audience of a client's token must be one of them. If unset, the audience must be the host in the request, and that host must be local or private.",
    schema: v.pipe(
      v.string(),
      v.transform((text) => text.split(',').map((url) => url.trim())),
      v.array(v.pipe(v.string(), v.url(), v.regex(/^wss?:\/\//i))),
    ),
  },
  relayDeliveryDelayMs: {
    variable: 'GATEFOLD_RELAY_DELIVERY_DELAY_MS',
    fallback: String(limits.relayDeliveryDelayMs),
    expected: 'a number of milliseconds from 0 to 1000',
    about:
      'Milliseconds between answering a publish and delivering its message to clients other than `@gatefold/sign`. Official clients lose responses that arrive too early.',
    schema: whole(0, 1_000),
  },
  relayCapacityMib: {
    variable: 'GATEFOLD_RELAY_CAPACITY_MIB',
    fallback: '4096',
    expected: 'a number of MiB from 1 to 1000000',
    about:
      'Maximum size of the waiting messages in the store, in MiB. One project may use 10 % of it. Beyond these limits, only addresses with few waiting messages may publish: up to 15 % in a project, and 125 % in all.',
    schema: whole(1, 1_000_000),
  },
  relayAddressMib: {
    variable: 'GATEFOLD_RELAY_ADDRESS_MIB',
    fallback: '32',
    expected: 'a number of MiB from 1 to 1000000',
    about:
      'Maximum size of the waiting messages from one address, and from one client, in MiB. Each message counts as at least 1 KiB until it is delivered or expires.',
    schema: whole(1, 1_000_000),
  },
  relayHourlyMib: {
    variable: 'GATEFOLD_RELAY_HOURLY_MIB',
    fallback: '102400',
    expected: 'a number of MiB from 1 to 100000000',
    about:
      'Maximum size of the messages published per hour, in MiB. One project may use 10 % of it. The budget is a token bucket that refills evenly, so up to twice this size can be published within one hour after a pause.',
    schema: whole(1, 100_000_000),
  },
  relayAddressHourlyMib: {
    variable: 'GATEFOLD_RELAY_ADDRESS_HOURLY_MIB',
    fallback: '1024',
    expected: 'a number of MiB from 1 to 1000000',
    about: 'The same for one address, and for one client. A message counts as at least 1 KiB.',
    schema: whole(1, 1_000_000),
  },
  relayAddressSockets: {
    variable: 'GATEFOLD_RELAY_ADDRESS_SOCKETS',
    fallback: '20000',
    expected: 'a number of sockets from 1 to 1000000',
    about: 'Maximum number of open sockets per address, in each process.',
    schema: whole(1, 1_000_000),
  },
  relayAddressClients: {
    variable: 'GATEFOLD_RELAY_ADDRESS_CLIENTS',
    fallback: '20000',
    expected: 'a number of client ids from 1 to 1000000',
    about:
      'Maximum number of new client ids per address: as a burst, and per hour after that. Processes on one Redis share it.',
    schema: whole(1, 1_000_000),
  },
  relayAddressTopics: {
    variable: 'GATEFOLD_RELAY_ADDRESS_TOPICS',
    fallback: '50000',
    expected: 'a number of subscriptions from 1 to 10000000',
    about:
      'Maximum number of new subscriptions of all clients of an address: as a burst, and per hour after that. A client that subscribes again after a reconnect adds none. Processes on one Redis share it. Clients with four times as many subscriptions can connect at once from an address, and with 4 % of it per second after that, in each process.',
    schema: whole(1, 10_000_000),
  },
  logLevel: {
    variable: 'GATEFOLD_LOG_LEVEL',
    fallback: 'info',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    about: 'Lowest level that is logged.',
    schema: v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  trustedProxies: {
    variable: 'GATEFOLD_TRUSTED_PROXIES',
    fallback: '0',
    expected: 'a number of proxies from 0 to 10',
    about:
      'Number of reverse proxies in front of this server. With n, the n-th address from the right in `X-Forwarded-For` is the client; with 0 the header is ignored.',
    schema: whole(0, 10),
  },
  ipRate: {
    variable: 'GATEFOLD_IP_RATE',
    fallback: '100',
    expected: 'requests per second, from 1 to 1000000',
    about: 'Sustained requests per second from one address. Each call in a JSON-RPC batch counts.',
    schema: whole(1, 1_000_000),
  },
  ipBurst: {
    variable: 'GATEFOLD_IP_BURST',
    fallback: '2000',
    expected: 'a number of requests from 1 to 10000000',
    about: 'Maximum burst of requests from one address.',
    schema: whole(1, 10_000_000),
  },
  projectRate: {
    variable: 'GATEFOLD_PROJECT_RATE',
    fallback: '2000',
    expected: 'requests per second, from 1 to 1000000',
    about: 'Sustained requests per second for one project.',
    schema: whole(1, 1_000_000),
  },
  projectBurst: {
    variable: 'GATEFOLD_PROJECT_BURST',
    fallback: '20000',
    expected: 'a number of requests from 1 to 10000000',
    about: 'Maximum burst of requests for one project.',
    schema: whole(1, 10_000_000),
  },
  analytics: {
    variable: 'GATEFOLD_ANALYTICS',
    fallback: 'on',
    expected: 'on or off',
    about: 'Whether usage events are stored. A project can turn off its own events.',
    schema: onOff,
  },
  analyticsDays: {
    variable: 'GATEFOLD_ANALYTICS_DAYS',
    fallback: '90',
    expected: 'a number of days from 1 to 3650',
    about: 'Days after which stored events are deleted.',
    schema: whole(1, 3_650),
  },
  analyticsHourlyMib: {
    variable: 'GATEFOLD_ANALYTICS_HOURLY_MIB',
    fallback: '128',
    expected: 'a number of MiB from 1 to 1000000',
    about:
      'Maximum size of the events stored per hour for one project, in MiB. The budget is a token bucket that refills evenly, so up to twice this size can be stored within one hour after a pause.',
    schema: whole(1, 1_000_000),
  },
  analyticsAddressHourlyMib: {
    variable: 'GATEFOLD_ANALYTICS_ADDRESS_HOURLY_MIB',
    fallback: '16',
    expected: 'a number of MiB from 1 to 1000000',
    about: 'The same for one address.',
    schema: whole(1, 1_000_000),
  },
  metricsToken: {
    variable: 'GATEFOLD_METRICS_TOKEN',
    fallback: undefined,
    expected: 'a secret of at least 16 characters',
    about:
      'Bearer token that `/metrics` requires. If unset, only programs on the same machine can read metrics.',
    secret: true,
    schema: v.pipe(v.string(), v.minLength(16)),
  },
  shutdownSeconds: {
    variable: 'GATEFOLD_SHUTDOWN_SECONDS',
    fallback: '10',
    expected: 'a number of seconds from 0 to 300',
    about: 'How long a stopping server waits for requests in progress.',
    schema: whole(0, 300),
  },
} satisfies Record<string, Setting>

type Setting = {
  variable: string
  fallback: string | undefined
  expected: string
  about: string
  /** If true, the value is never included in errors or logs. */
  secret?: boolean
  schema: v.GenericSchema<string, unknown>
}

type Settings = typeof settings

/** The validated settings. The unit of a time or rate is in its name or in {@link settings}. */
export type Config = {
  [Key in keyof Settings]:
    | v.InferOutput<Settings[Key]['schema']>
    | (Settings[Key]['fallback'] extends string ? never : undefined)
}

/**
 * Reads and validates the environment. An empty variable counts as unset.
 *
 * @throws {ConfigError} with each invalid setting and the value that is expected for it.
 */
export function readConfig(env: Record<string, string | undefined> = {}): Config {
  const problems: string[] = []
  const entries = Object.entries<Setting>(settings).map(([key, setting]) => {
    const text = env[setting.variable]?.trim() || setting.fallback
    if (text === undefined) return [key, undefined]
    const result = v.safeParse(setting.schema, text)
    if (!result.success) problems.push(problem(setting, text, result.issues))
    return [key, result.output]
  })
  if (problems.length > 0) throw new ConfigError(problems)
  const config = Object.fromEntries(entries) as Config
  const conflicts = [
    ...findMissingContracts(config),
    ...findFrameConflicts(config),
    ...findSmartAccountConflicts(config),
  ]
  if (conflicts.length > 0) throw new ConfigError(conflicts)
  return config
}

/** The contracts that each swap source needs, by their name in the chain data. */
const swapContracts = { pools: 'uniswap', '0x': 'zeroEx', '1inch': 'oneInch' } as const

/** Problems with chains whose data lacks the contracts of their swap source. */
function findMissingContracts({ chains, swaps }: Config): string[] {
  const data = { ...networks, ...chains }
  return Object.entries(swaps.chains).flatMap(([id, name]) =>
    data[id]?.[swapContracts[name]]
      ? []
      : `GATEFOLD_SWAPS names ${name} for ${id}; expected a chain whose data has the contracts of ${name} (${swapContracts[name]} in GATEFOLD_CHAINS).`,
  )
}

function findFrameConflicts(config: Config) {
  const { databaseUrl, escrowDatabaseUrl, mailFrom, rpcUrls, smtpUrl, socials } = config
  const { farcaster } = socials
  const data = { ...networks, ...config.chains }
  return [
    ...(farcaster && !(rpcUrls[farcaster.chain] && data[farcaster.chain])
      ? [
          `GATEFOLD_SOCIALS names ${farcaster.chain} for farcaster; expected a chain in GATEFOLD_RPC_URLS whose data is known (GATEFOLD_CHAINS).`,
        ]
      : []),
    ...(smtpUrl && !mailFrom
      ? ['GATEFOLD_MAIL_FROM is not set; expected an address, because GATEFOLD_SMTP_URL is set.']
      : []),
    ...(escrowDatabaseUrl && escrowDatabaseUrl === databaseUrl
      ? [
          'GATEFOLD_ESCROW_DATABASE_URL is the database in DATABASE_URL; expected another one, because a copy of one database must not be enough to restore a wallet.',
        ]
      : []),
  ]
}

function findSmartAccountConflicts({ bundlerUrls, rpcUrls, smartAccounts }: Config) {
  return Object.keys(smartAccounts).flatMap((id) => [
    ...(bundlerUrls[id]
      ? []
      : [
          `GATEFOLD_SMART_ACCOUNTS has ${id}; expected a chain with a bundler in GATEFOLD_BUNDLER_URLS.`,
        ]),
    ...(rpcUrls[id]
      ? []
      : [`GATEFOLD_SMART_ACCOUNTS has ${id}; expected a chain in GATEFOLD_RPC_URLS.`]),
  ])
}

function problem(setting: Setting, text: string, issues: [v.BaseIssue<unknown>, ...unknown[]]) {
  const shown = setting.secret ? 'a value (not shown)' : `“${text}”`
  const where = v.getDotPath(issues[0])
  const detail = setting.secret && where ? ` The error is at ${where}.` : ''
  return `${setting.variable} is ${shown}; expected ${setting.expected}.${detail}`
}

export class ConfigError extends BaseError {
  override name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      problems.length === 1 ? 'A setting is invalid.' : `${problems.length} settings are invalid.`,
      { code: 'config.invalid', metaMessages: problems, docsPath: 'docs/operators.md' },
    )
    this.problems = problems
  }
}
