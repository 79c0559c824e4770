import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killRelay } from '@gatefold/tests/killRelay'
import { freePort, startProgram, type Program } from '@gatefold/tests/program'
import { startRelays, type Relays } from '@gatefold/tests/relays'
import type { Report } from '../main.ts'
import { measureIdle, runLoad } from './measure.ts'

type Row = Report['rows'][number]

/** Size of the measurement. `npm test` uses small values. */
export type RelayBenchOptions = {
  /** Duration of one run. */
  seconds: number
  /** Alternating runs of each server; medians are compared. */
  rounds: number
  /**
   * Pairs of a publisher and a subscriber. Each publisher publishes again after every response. There are
   * enough pairs that the rate limit of 20/s per client does not limit the result.
   */
  pairs: number
  /** Numbers of idle sockets for the memory measurement. The steady load uses the larger number. */
  idle: readonly [few: number, many: number]
  /** How many times one of two relays is killed. */
  kills: number
}

/** Messages per second under steady load. */
const steadyRate = 500
/** Messages per second for a nearly idle relay, so that no message is queued. */
const quietRate = 50
/** The user agent of our own clients. The relay delays pushes to other clients. */
const ownUserAgent = 'wc-2/gatefold-0.1.0/node'
/** Pairs of clients that share the steady load. */
const steadyPairs = 50
/** Messages per second between two processes, low enough that no message is queued. */
const crossingRate = 100

/**
 * Compares the relay with a bare WebSocket server that fans out from memory. Both get the same frames
 * from the same clients on the same machine, in alternating runs. Also measures deliveries between two
 * processes, lost messages after kills, and the time to start.
 *
 * @returns rows of the report.
 * @see docs/threats.md#fault-targets
 */
export async function benchRelay(options: RelayBenchOptions): Promise<Row[]> {
  return [
    ...(await benchThroughput(options)),
    ...(await benchSteady(options)),
    ...(await benchMemory(options)),
    ...(await benchCrossing(options)),
    await benchKills(options),
    await benchStart(options),
  ]
}

async function benchThroughput({ seconds, rounds, pairs }: RelayBenchOptions): Promise<Row[]> {
  return withBoth(async ({ bare, relays }) => {
    const runs = { bare: [] as Run[], relay: [] as Run[] }
    for (let round = 0; round < rounds; round += 1) {
      runs.bare.push(await runLoad({ url: wsUrl(bare), pairs, seconds }, [bare.pid]))
      runs.relay.push(await runLoad({ url: relays.url, pairs, seconds }, pidsOf(relays)))
    }
    const rate = { bare: rateOf(runs.bare), relay: rateOf(runs.relay) }
    const share = rate.relay / rate.bare
    return [
      {
        what: `relay: durable messages delivered compared with bare ws (${Math.round(share * 100)} %)`,
        unit: '/s',
        bare: Math.round(rate.bare),
        gatefold: Math.round(rate.relay),
        limit: '40 %',
        holds: share >= 0.4,
      },
      {
        what: 'relay: server CPU per message under that load',
        unit: 'ms',
        bare: round(cpuOf(runs.bare)),
        gatefold: round(cpuOf(runs.relay)),
      },
    ]
  })
}

async function benchSteady({ seconds, idle: [, many] }: RelayBenchOptions): Promise<Row[]> {
  return withBoth(async ({ bare, relays }) => {
    const quiet = { pairs: 10, perSecond: quietRate, seconds, userAgent: ownUserAgent }
    const quietBare = await runLoad({ ...quiet, url: wsUrl(bare) }, [bare.pid])
    const quietRun = await runLoad({ ...quiet, url: relays.url }, pidsOf(relays))
    const load = { pairs: steadyPairs, perSecond: steadyRate, idle: many, seconds }
    const before = await runLoad({ ...load, url: wsUrl(bare) }, [bare.pid])
    const run = await runLoad({ ...load, url: relays.url }, pidsOf(relays))
    const what = (share: string) =>
      `relay: publish to deliver, ${share}, ${steadyRate}/s with ${many} idle sockets`
    return [
      {
        what: `relay: publish to deliver between our own clients, p50, ${quietRate}/s`,
        unit: 'ms',
        bare: round(quietBare.p50),
        gatefold: round(quietRun.p50),
        limit: '4',
        holds: quietRun.p50 <= 4,
      },
      { what: what('p50'), unit: 'ms', bare: round(before.p50), gatefold: round(run.p50) },
      {
        what: what('p99'),
        unit: 'ms',
        bare: round(before.p99),
        gatefold: round(run.p99),
        limit: '250',
        holds: run.p99 <= 250,
      },
    ]
  })
}

async function benchMemory({ seconds, idle }: RelayBenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  // New servers for each count, because a process rarely returns memory.
  for (const count of idle) {
    const { bare, relay } = await withBoth(async ({ bare, relays }) => ({
      bare: await measureIdle({ url: wsUrl(bare), pid: bare.pid, count, seconds }),
      relay: await measureIdle({ url: relays.url, pid: relays.programs[0]!.pid, count, seconds }),
    }))
    rows.push({
      what: `relay: memory per socket, ${count} idle sockets`,
      unit: 'KB',
      bare: round(bare),
      gatefold: round(relay),
      limit: '25',
      holds: relay <= 25,
    })
  }
  return rows
}

/**
 * Measures deliveries between two processes, on a single Redis and on a Redis Cluster whose replicas confirm each
 * commit. Compares them with deliveries within one process on a single Redis.
 */
async function benchCrossing({ seconds, rounds }: RelayBenchOptions): Promise<Row[]> {
  const single = await startRelays('Redis')
  try {
    const cluster = await startRelays('Redis Cluster')
    try {
      const runs = { within: [] as number[], across: [] as number[], cluster: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        runs.within.push(await crossingMs(single, 0, seconds))
        runs.across.push(await crossingMs(single, 1, seconds))
        runs.cluster.push(await crossingMs(cluster, 1, seconds))
      }
      return [
        crossingRow('two processes compared with one', runs.within, runs.across, 3),
        crossingRow(
          'two processes and a Redis Cluster compared with one process and one Redis',
          runs.within,
          runs.cluster,
          4,
        ),
      ]
    } finally {
      await cluster.stop()
    }
  } finally {
    await single.stop()
  }
}

/** Measures the median time from publish to delivery in ms, to clients of the same process (0) or the other (1). */
async function crossingMs(relays: Relays, subscriberIndex: number, seconds: number) {
  const load = { url: wsUrl(relays.programs[0]!), pairs: 20, perSecond: crossingRate, seconds }
  const subscriberUrl = wsUrl(relays.programs[subscriberIndex]!)
  return (await runLoad({ ...load, subscriberUrl }, pidsOf(relays))).p50
}

function crossingRow(
  what: string,
  base: readonly number[],
  compared: readonly number[],
  most: number,
): Row {
  const extra = median(compared) - median(base)
  return {
    what: `relay: publish to deliver, ${what}, p50 (${extra < 0 ? '' : '+'}${round(extra)})`,
    unit: 'ms',
    bare: round(median(base)),
    gatefold: round(median(compared)),
    limit: `+${most}`,
    holds: extra <= most,
  }
}

async function benchKills({ kills }: RelayBenchOptions): Promise<Row> {
  const load = { perSecond: steadyRate, pairs: steadyPairs, loadMs: 1_000 }
  const { findings } = await killRelay({ storeKind: 'Redis', kills, ...load })
  const lost = findings.find(({ label }) => label === 'lost')!.value
  return {
    what: `relay: acknowledged messages lost, ${kills} kills of one of two processes`,
    unit: '',
    bare: undefined,
    gatefold: lost,
    limit: '0',
    holds: lost === 0,
  }
}

/**
 * Measures the time from the start of `gatefold serve` with all roles until it listens. Compiled
 * modules are cached.
 */
async function benchStart({ rounds }: RelayBenchOptions): Promise<Row> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-start-'))
  const bin = fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url))
  const times: number[] = []
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const began = performance.now()
      const server = fork(bin, ['serve', '--port', '0'], {
        execArgv: ['--conditions=@gatefold/source'],
        env: { ...process.env, GATEFOLD_DATA_DIR: dataDir, GATEFOLD_RPC_URLS: '{}' },
        silent: true,
      })
      await once(server, 'message')
      times.push(performance.now() - began)
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  const ms = median(times.slice(1))
  return {
    what: 'gatefold serve: start to listening',
    unit: 'ms',
    bare: undefined,
    gatefold: Math.round(ms),
    limit: '1000',
    holds: ms <= 1_000,
  }
}

type Run = Awaited<ReturnType<typeof runLoad>>

/** Runs a function with a new bare server and a new relay on SQLite. */
async function withBoth<Result>(
  run: (servers: { bare: Program; relays: Relays }) => Promise<Result>,
): Promise<Result> {
  const bare = await startBare()
  try {
    const relays = await startRelays('SQLite')
    try {
      return await run({ bare, relays })
    } finally {
      await relays.stop()
    }
  } finally {
    await bare.stop()
  }
}

async function startBare(): Promise<Program> {
  const port = await freePort()
  return startProgram({
    name: 'bare WebSocket server',
    args: [fileURLToPath(new URL('./bare.ts', import.meta.url))],
    port,
    env: { PORT: `${port}` },
    health: '/',
  })
}

function wsUrl({ port }: Program) {
  return `ws://localhost:${port}`
}

function pidsOf({ programs }: Relays) {
  return programs.map(({ pid }) => pid)
}

function rateOf(runs: readonly Run[]) {
  return median(runs.map(({ perSecond }) => perSecond))
}

function cpuOf(runs: readonly Run[]) {
  return median(runs.map(({ serverCpuMsPerMessage }) => serverCpuMsPerMessage))
}

function median(values: readonly number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function round(value: number) {
  return Math.round(value * 100) / 100
}
