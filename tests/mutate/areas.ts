import { matchesGlob } from 'node:path'
import type { ChangedLines } from './findChangedLines.ts'

/**
 * A folder or file to mutate, and the required score in percent. `tests` are patterns for the tests
 * that run against it; by default, all tests in the folder run.
 */
export type Area = { path: string; tests?: readonly string[]; required: number }

const engine = 'packages/sign/src/engine'
const core = 'packages/kit/src/core'
const server = 'packages/server/src'

/**
 * All areas. Each has few, fast tests, because a surviving mutant costs a run of all tests that reach
 * it. An area that contains another area, as `relay` contains `relay/budgets`, excludes the files of
 * the inner area.
 */
export const areas: readonly Area[] = [
  ...['caip', 'frame', 'gateway', 'relay'].map((folder) => ({
    path: `packages/protocol/src/${folder}`,
    required: 75,
  })),
  { path: 'packages/protocol/src', required: 75 },
  { path: 'packages/sign/src/crypto', required: 85 },
  { path: 'packages/sign/src/auth', required: 85 },
  // These files run on import, so each of their mutants runs all tests of the area.
  ...['state/schemas', 'wallet/params', 'authenticate/AuthenticateResult'].map((it) => ({
    path: `${engine}/${it}.ts`,
    tests: ['state/schemas', 'state/state', 'wallet/proposal'].map(
      (name) => `${engine}/${name}.test.ts`,
    ),
    required: 75,
  })),
  {
    path: `${engine}/transport/methods.ts`,
    tests: [`${engine}/transport/methods.test.ts`],
    required: 75,
  },
  // startEngine.test.ts, repeat.test.ts and transport/receive.test.ts start relays.
  {
    path: `${engine}/startEngine.ts`,
    tests: [`${engine}/startEngine.test.ts`],
    required: 75,
  },
  ...['app', 'authenticate', 'session', 'state', 'transport', 'wallet', ''].map((folder) => ({
    path: folder ? `${engine}/${folder}` : engine,
    tests: [
      ...['app', 'authenticate', 'session', 'state', 'wallet'].map(
        (it) => `${engine}/${it}/*.test.ts`,
      ),
      ...['analytics', 'link', 'send'].map((it) => `${engine}/transport/${it}.test.ts`),
      ...['createEngine', 'createLog'].map((it) => `${engine}/${it}.test.ts`),
    ],
    required: 75,
  })),
  // names.test.ts tests the identity from the gateway, and names that the gateway resolves.
  {
    path: `${core}/account`,
    tests: [`${core}/account/*.test.ts`, `${core}/names/names.test.ts`],
    required: 75,
  },
  { path: `${core}/features`, required: 75 },
  // Its tables run on import, so each of their mutants runs all tests of the area. checkOptions.test.ts
  // imports the whole kit.
  {
    path: `${core}/kit/checkOptions.ts`,
    tests: ['optionChecks', 'options'].map((it) => `${core}/kit/${it}.test.ts`),
    required: 75,
  },
  // checkOptions.test.ts reads the sources, so it fails with mutated ones.
  {
    path: `${core}/kit`,
    tests: [
      ...['applyEffects', 'checkRendering', 'createKit', 'nextTask', 'preload'].map(
        (it) => `${core}/kit/${it}.test.ts`,
      ),
      `${core}/connection/prompt.test.ts`,
      `${core}/connection/sessions.test.ts`,
    ],
    required: 75,
  },
  // Code that the tests of every instance reach, with the tests that are meant for it.
  ...Object.entries({
    'connection/Connector': ['connection/lookups'],
    'connection/ProviderRpcError': ['connection/ProviderRpcError'],
    'connection/Session': ['connection/lookups'],
    'connection/account': ['connection/lookups'],
    'connection/attempt': ['connection/attempt', 'connection/lookups'],
    'connection/chainState': ['connection/chainState'],
    'connection/restore': ['connection/restore', 'connection/restoreChunk'],
    'connection/restoreConnections': ['restore', 'sessions', 'connections'].map(
      (it) => `connection/${it}`,
    ),
    'kit/errors': ['kit/errors'],
    'kit/kitErrors': ['kit/errors'],
    'kit/lazy': ['kit/lazy'],
    'kit/options': ['kit/options'],
    'kit/preferences': ['kit/preferences'],
    'kit/requestErrors': ['kit/errors'],
    'kit/setPreferences': ['money/currency'],
    'kit/state': ['kit/state'],
  }).map(([file, tests]) => ({
    path: `${core}/${file}.ts`,
    tests: tests.map((it) => `${core}/${it}.test.ts`),
    required: 75,
  })),
  // report.test.ts tests the reports of failed directory requests.
  {
    path: `${core}/wallets`,
    tests: [`${core}/wallets/*.test.ts`, `${core}/analytics/report.test.ts`],
    required: 75,
  },
  // rules.ts runs on import, so each of its mutants runs all tests of the area.
  {
    path: `${core}/view/rules.ts`,
    tests: ['connection/connect', 'kit/state', 'view/view'].map((it) => `${core}/${it}.test.ts`),
    required: 75,
  },
  {
    path: `${core}/view`,
    tests: [
      `${core}/view/*.test.ts`,
      `${core}/connection/connect.test.ts`,
      `${core}/kit/applyEffects.test.ts`,
      `${core}/kit/createKit.test.ts`,
      `${core}/networks/switchNetwork.test.ts`,
    ],
    required: 75,
  },
  // view.test.ts tests entryToSwitch.
  {
    path: `${core}/networks`,
    tests: [`${core}/networks/*.test.ts`, `${core}/view/view.test.ts`],
    required: 75,
  },
  ...[
    'analytics',
    'appearance',
    'connection',
    'money/onramp',
    'money/pending',
    'money/swap',
    'money',
    'names',
    'notifications',
    'platform',
    'storage',
  ].map((folder) => ({ path: `${core}/${folder}`, required: 75 })),
  { path: core, required: 75 },
  {
    path: `${server}/rpc/methods.ts`,
    tests: ['methods', 'readPlainBatch'].map((it) => `${server}/rpc/${it}.test.ts`),
    required: 85,
  },
  {
    path: `${server}/rpc/createUpstream.ts`,
    tests: [`${server}/rpc/createUpstream.test.ts`],
    required: 85,
  },
  // The tests of createChain.ts wait for timeouts, and reach these files too.
  ...['UpstreamError', 'batch'].map((it) => ({
    path: `${server}/rpc/${it}.ts`,
    tests: [`${server}/rpc/createUpstream.test.ts`],
    required: 85,
  })),
  {
    path: `${server}/rpc/createPost.ts`,
    tests: [`${server}/rpc/createPost.test.ts`, `${server}/rpc/createUpstream.test.ts`],
    required: 85,
  },
  ...['createBreaker', 'createChain', 'createChains', 'readPlainBatch', 'transactionHash'].map(
    (it) => ({
      path: `${server}/rpc/${it}.ts`,
      tests: [`${server}/rpc/${it}.test.ts`],
      required: 85,
    }),
  ),
  // The remaining file, createRpcMetrics.ts.
  { path: `${server}/rpc`, tests: [`${server}/rpc/createChain.test.ts`], required: 85 },
  // createSharedLedger.test.ts starts Redis. budgets.test.ts starts relays on every kind of storage.
  {
    path: `${server}/relay/budgets/createSharedLedger.ts`,
    tests: ['lostReports', 'sharedReports'].map((it) => `${server}/relay/budgets/${it}.test.ts`),
    required: 85,
  },
  {
    path: `${server}/relay/budgets`,
    tests: ['createAddressLimits', 'createLocalLedger', 'createStorageBudgets'].map(
      (it) => `${server}/relay/budgets/${it}.test.ts`,
    ),
    required: 85,
  },
  // postRpc.test.ts starts relays.
  {
    path: `${server}/relay/requests/postRpc.ts`,
    tests: [`${server}/relay/requests/httpResponses.test.ts`],
    required: 85,
  },
  {
    path: `${server}/relay/requests`,
    tests: ['costOf', 'createRateLimit', 'dispatch', 'parseRequests'].map(
      (it) => `${server}/relay/requests/${it}.test.ts`,
    ),
    required: 85,
  },
  // createHub.test.ts uses real sockets and a real driver.
  {
    path: `${server}/relay/hub`,
    tests: [
      'createDelayQueue',
      'pushes',
      'slowSockets',
      'storedSubscriptions',
      'unacknowledged',
      'waitingMessages',
    ].map((it) => `${server}/relay/hub/${it}.test.ts`),
    required: 75,
  },
  // watch.test.ts starts relays.
  {
    path: `${server}/relay/methods`,
    tests: ['methods', 'watchTokens'].map((it) => `${server}/relay/methods/${it}.test.ts`),
    required: 75,
  },
  ...['createRelay', 'createRelayRole', 'errors', 'metrics', 'toSubscriptionId'].map((it) => ({
    path: `${server}/relay/${it}.ts`,
    tests: [`${server}/relay/${it}.test.ts`],
    required: 75,
  })),
  // connection.test.ts starts many relays.
  ...['authorize', 'createWriteCoalescer', 'isLocalHost', 'upgrade'].map((it) => ({
    path: `${server}/relay/socket/${it}.ts`,
    tests: [`${server}/relay/socket/${it}.test.ts`],
    required: 85,
  })),
  {
    path: `${server}/relay/socket/createSocketServer.ts`,
    tests: ['backpressure', 'createSocketServer', 'pings'].map(
      (it) => `${server}/relay/socket/${it}.test.ts`,
    ),
    required: 85,
  },
  // The other tests of the drivers start PostgreSQL or threads, or wait for an outage of Redis.
  {
    path: `${server}/relay/drivers/writeParts.ts`,
    tests: ['embedded/inMemory', 'redis/queues'].map(
      (it) => `${server}/relay/drivers/${it}.test.ts`,
    ),
    required: 75,
  },
  {
    path: `${server}/relay/drivers/createGroupCommit.ts`,
    tests: ['createGroupCommit', 'lanes'].map((it) => `${server}/relay/drivers/${it}.test.ts`),
    required: 75,
  },
  ...[
    'embedded/countItems',
    'embedded/createCommitCache',
    'redis/commitParts',
    'redis/messages',
    'redis/scripts',
  ].map((it) => ({
    path: `${server}/relay/drivers/${it}.ts`,
    tests: [`${server}/relay/drivers/${it}.test.ts`],
    required: 75,
  })),
  {
    path: `${server}/relay/drivers/redis/createRedisDriver.ts`,
    tests: ['createRedisDriver', 'queues'].map(
      (it) => `${server}/relay/drivers/redis/${it}.test.ts`,
    ),
    required: 75,
  },
  // Starts threads and PostgreSQL.
  {
    path: `${server}/relay/drivers/embedded/startCommitter.ts`,
    tests: [`${server}/relay/drivers/embedded/startCommitter.test.ts`],
    required: 75,
  },
  {
    path: `${server}/relay/drivers/embedded/createEmbeddedDriver.ts`,
    tests: [`${server}/relay/drivers/embedded/inMemory.test.ts`],
    required: 75,
  },
  ...['commitWrites', 'createCommitter'].map((it) => ({
    path: `${server}/relay/drivers/embedded/${it}.ts`,
    tests: [`${server}/relay/drivers/embedded/createCommitter.test.ts`],
    required: 75,
  })),
  {
    path: `${server}/relay/drivers/redis/partitions.ts`,
    tests: [`${server}/relay/drivers/redis/commitParts.test.ts`],
    required: 75,
  },
  { path: `${server}/relay`, required: 75 },
  // createKeyring.test.ts starts PostgreSQL.
  {
    path: `${server}/verify/createKeyring.ts`,
    tests: [`${server}/verify/createKeyring.test.ts`],
    required: 75,
  },
  {
    path: `${server}/verify`,
    tests: ['attestation', 'createVerifyRole', 'domains', 'enclave'].map(
      (it) => `${server}/verify/${it}.test.ts`,
    ),
    required: 75,
  },
]

/** A file with Lua code to change, and the tests of this code. */
export type LuaArea = Required<Area>

const drivers = `${server}/relay/drivers/redis`

/** The Lua scripts, which Stryker cannot change. */
export const luaAreas: readonly LuaArea[] = [
  {
    path: `${drivers}/scripts.ts`,
    tests: ['scripts', 'createRedisDriver'].map((it) => `${drivers}/${it}.test.ts`),
    required: 75,
  },
  {
    path: `${server}/accounts/createSharedAccounts.ts`,
    tests: [`${server}/accounts/createSharedAccounts.test.ts`],
    required: 85,
  },
]

export function selectLuaAreas(only: string): LuaArea[] {
  return luaAreas.filter(({ path }) => only === '' || isIn(path, only))
}

/**
 * The areas that `only` selects. `only` is a folder that contains areas, or a file or folder in one
 * area, of which it selects that part. If a folder both contains areas and is in another area, its
 * remaining files are selected too.
 *
 * @param isAlone - leaves out the areas inside the folder.
 */
export function selectAreas(only: string, isAlone = false): Selected[] {
  return selectAll(only).filter(({ path }) => !isAlone || path === only)
}

function selectAll(only: string): Selected[] {
  const inside = areas.filter(({ path }) => only === '' || isIn(path, only))
  const selected = inside.map((area) => select(area, area.path))
  if (inside.some(({ path }) => path === only)) return selected
  const file = only.replace(/:\d+-\d+$/, '')
  const [outer] = areas
    .filter(({ path }) => isIn(file, path))
    .toSorted((a, b) => b.path.length - a.path.length)
  if (!outer) return selected
  return [...selected, select(outer, only)]
}

/** Selects the changed lines of areas. Areas without changed lines are left out. */
export function selectChanged(selected: readonly Selected[], changed: ChangedLines): Selected[] {
  return selected.flatMap((area) => {
    const [, ...excluded] = area.mutate
    const isExcluded = (file: string) =>
      excluded.some((pattern) => matchesGlob(file, pattern.slice(1)))
    const ranges = [...changed].flatMap(([file, lines]) =>
      isIn(file, area.path) && !isExcluded(file)
        ? lines.map(([first, last]) => `${file}:${first}-${last}`)
        : [],
    )
    return ranges.length === 0 ? [] : [{ ...area, mutate: [...ranges, ...excluded] }]
  })
}

/** An area, or the part of one at `path`. `mutate` contains Stryker's patterns for the files to change. */
export type Selected = Required<Area> & { mutate: readonly string[] }

function select(area: Area, path: string): Selected {
  const inner = areas.filter(({ path }) => path !== area.path && isIn(path, area.path))
  const excluded = [
    ...inner.map(({ path }) => patternOf(path)),
    '**/*.test.ts',
    '**/testing/**',
    // findLimitProblems.test.ts compares these constants with docs/limits.md, without running them.
    'packages/protocol/src/limits/**',
    // Addresses and ABIs. smartAccountOf.test.ts in packages/frame compares them with contracts.
    'packages/protocol/src/frame/smartAccount.ts',
  ]
  return {
    tests: [`${area.path}/**/*.test.ts`],
    ...area,
    path,
    mutate: [patternOf(path), ...excluded.map((other) => `!${other}`)],
  }
}

const isIn = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`)
const patternOf = (path: string) => (/\.ts(?::[\d-]+)?$/.test(path) ? path : `${path}/**/*.ts`)
