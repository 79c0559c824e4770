import { readFileSync, statSync } from 'node:fs'
import { BaseError, limits } from '@gatefold/protocol'
import * as v from 'valibot'

/** The local chains of the default stack. */
const localRpcUrls = {
  'eip155:31337': ['http://127.0.0.1:8545'],
  'eip155:31338': ['http://127.0.0.1:8546'],
}

const whole = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.toNumber(), v.minValue(min), v.maxValue(max))

const onOff = v.pipe(
  v.picklist(['on', 'off']),
  v.transform((word) => word === 'on'),
)

/** Upstreams by network: CAIP-2 id to a list of HTTP URLs, tried in this order. */
const RpcUrls = v.record(
  v.pipe(v.string(), v.regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/)),
  v.pipe(v.array(v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i))), v.minLength(1)),
)

const rpcUrls = v.pipe(
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
  RpcUrls,
)

/**
 * Every setting: variable, default as text, expected value (shown in errors) and purpose.
 * `docs/operators.md` has the same table; a test compares them.
 */
export const settings = {
  roles: {
    variable: 'GATEFOLD_ROLES',
    fallback: undefined,
    expected: 'a comma-joined list of roles such as gateway,relay',
    about: 'Servers that this process runs: `gateway`, `relay`, `verify`. Without it all of them.',
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
    expected: 'a port from 0 to 65535 (0: any free one)',
    about: 'Port to listen on. Without it, 3001 or the next free port.',
    schema: whole(0, 65_535),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: undefined,
    expected: 'a PostgreSQL URL such as postgres://user:password@host:5432/name',
    about: 'PostgreSQL to use. Without it a SQLite file in the data folder is used.',
    secret: true,
    schema: v.pipe(v.string(), v.url(), v.regex(/^postgres(ql)?:\/\//)),
  },
  dataDir: {
    variable: 'GATEFOLD_DATA_DIR',
    fallback: '.gatefold',
    expected: 'a folder',
    about:
      'Folder of the SQLite file `gatefold.db` and of compiled modules (`compile-cache`); created with mode 0700 if missing.',
    schema: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.check((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true),
    ),
  },
  redisUrl: {
    variable: 'REDIS_URL',
    fallback: undefined,
    expected: 'a Redis URL such as redis://user:password@host:6379',
    about:
      "Redis for the relay's mailboxes, with any number of relay processes. Without it the mailboxes are in the database, for one process.",
    secret: true,
    schema: v.pipe(v.string(), v.url(), v.regex(/^rediss?:\/\//)),
  },
  rpcUrls: {
    variable: 'GATEFOLD_RPC_URLS',
    fallback: JSON.stringify(localRpcUrls),
    expected:
      'JSON, or the path of a JSON file, that maps CAIP-2 network ids to lists of http(s) URLs',
    about:
      'Upstreams of the JSON-RPC proxy, in order of preference. The default is the local stack.',
    secret: true,
    schema: rpcUrls,
  },
  relayUrls: {
    variable: 'GATEFOLD_RELAY_URLS',
    fallback: undefined,
    expected: 'a comma-joined list of ws:// or wss:// URLs',
    about:
      "Public URLs of the relay, comma-joined: the audience of clients' tokens must be one of them. Without it the audience must be the requested host, on this machine or in a private network.",
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
      'Milliseconds between answering a publish and delivering it to clients other than our own. Official clients lose acknowledgements that arrive too early.',
    schema: whole(0, 1_000),
  },
  relayCapacityMib: {
    variable: 'GATEFOLD_RELAY_CAPACITY_MIB',
    fallback: '4096',
    expected: 'a number of MiB from 1 to 1000000',
    about: 'Most MiB of waiting messages that this process accepts; a project may use 10 % of it.',
    schema: whole(1, 1_000_000),
  },
  relayAddressMib: {
    variable: 'GATEFOLD_RELAY_ADDRESS_MIB',
    fallback: '32',
    expected: 'a number of MiB from 1 to 1000000',
    about:
      'Most MiB of waiting messages from one address, and from one client. A message counts as at least 1 KiB, until it is delivered or expires.',
    schema: whole(1, 1_000_000),
  },
  relayAddressSockets: {
    variable: 'GATEFOLD_RELAY_ADDRESS_SOCKETS',
    fallback: '20000',
    expected: 'a number of sockets from 1 to 1000000',
    about: 'Most open sockets of one address.',
    schema: whole(1, 1_000_000),
  },
  relayAddressClients: {
    variable: 'GATEFOLD_RELAY_ADDRESS_CLIENTS',
    fallback: '20000',
    expected: 'a number of client ids from 1 to 1000000',
    about: 'Most new client ids of one address at once, and in each later hour.',
    schema: whole(1, 1_000_000),
  },
  logLevel: {
    variable: 'GATEFOLD_LOG_LEVEL',
    fallback: 'info',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    about: 'Least severe level that is logged.',
    schema: v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  trustedProxies: {
    variable: 'GATEFOLD_TRUSTED_PROXIES',
    fallback: '0',
    expected: 'a number of proxies from 0 to 10',
    about:
      'Reverse proxies in front of this server. With n, the n-th address from the right of `X-Forwarded-For` is the client; with 0 the header is ignored.',
    schema: whole(0, 10),
  },
  ipRate: {
    variable: 'GATEFOLD_IP_RATE',
    fallback: '100',
    expected: 'requests a second, from 1 to 1000000',
    about: 'Sustained requests per second of one address. Each call of a JSON-RPC batch counts.',
    schema: whole(1, 1_000_000),
  },
  ipBurst: {
    variable: 'GATEFOLD_IP_BURST',
    fallback: '2000',
    expected: 'a number of requests from 1 to 10000000',
    about: 'Burst of requests of one address.',
    schema: whole(1, 10_000_000),
  },
  projectRate: {
    variable: 'GATEFOLD_PROJECT_RATE',
    fallback: '2000',
    expected: 'requests a second, from 1 to 1000000',
    about: 'Sustained requests per second of one project, in this process.',
    schema: whole(1, 1_000_000),
  },
  projectBurst: {
    variable: 'GATEFOLD_PROJECT_BURST',
    fallback: '20000',
    expected: 'a number of requests from 1 to 10000000',
    about: 'Burst of requests of one project.',
    schema: whole(1, 10_000_000),
  },
  analytics: {
    variable: 'GATEFOLD_ANALYTICS',
    fallback: 'on',
    expected: 'on or off',
    about: 'Whether usage events are stored. A project can turn its own off.',
    schema: onOff,
  },
  analyticsDays: {
    variable: 'GATEFOLD_ANALYTICS_DAYS',
    fallback: '90',
    expected: 'a number of days from 1 to 3650',
    about: 'Days after which stored events are deleted.',
    schema: whole(1, 3_650),
  },
  metricsToken: {
    variable: 'GATEFOLD_METRICS_TOKEN',
    fallback: undefined,
    expected: 'a secret of at least 16 characters',
    about:
      'Bearer token that `/metrics` requires. Without it only programs of this machine may read metrics.',
    secret: true,
    schema: v.pipe(v.string(), v.minLength(16)),
  },
  shutdownSeconds: {
    variable: 'GATEFOLD_SHUTDOWN_SECONDS',
    fallback: '10',
    expected: 'a number of seconds from 0 to 300',
    about: 'How long a stopping server waits for running requests.',
    schema: whole(0, 300),
  },
} satisfies Record<string, Setting>

type Setting = {
  variable: string
  fallback: string | undefined
  expected: string
  about: string
  /** Never appears in errors or logs. */
  secret?: boolean
  schema: v.GenericSchema<string, unknown>
}

type Settings = typeof settings

/** A validated environment. Times and rates carry their unit in the name or in {@link settings}. */
export type Config = {
  [Key in keyof Settings]:
    | v.InferOutput<Settings[Key]['schema']>
    | (Settings[Key]['fallback'] extends string ? never : undefined)
}

/**
 * Reads and validates the environment. An empty variable counts as unset.
 *
 * @throws {ConfigError} that names every invalid value with the expected one.
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
  return Object.fromEntries(entries) as Config
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
