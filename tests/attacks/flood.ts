import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openRelayClient } from '../../packages/server/src/testing/openRelayClient.ts'
import { createTraffic, percentile } from '../faults/createTraffic.ts'
import type { Finding, Report } from '../faults/report.ts'
import type { StoreKind } from '../faults/startRelays.ts'
import { until } from '../faults/until.ts'
import type { AttackersOptions, Outcomes } from './attackers.ts'
import { startNewcomers } from './startNewcomers.ts'
import { residentMb, startTarget } from './startTarget.ts'

/** Limit for the p99 of the time from publish to delivery for honest clients. @see docs/threats.md#attack-targets */
const latencyLimitMs = 250
/** Limit for the p99 of the time in which a new client connects and subscribes. @see docs/threats.md#attack-targets */
const connectLimitMs = 1_000
/** Limit for the server's resident memory. @see docs/threats.md#attack-targets */
const memoryLimitMb = 600
const settleLimitMs = 60_000
const sampleMs = 100
/** Time under honest load before the attacks start, so that functions are compiled by then. */
const warmupMs = 3_000
/** How often a new client connects, in ms. */
const newcomerMs = 250
/**
 * Addresses of the honest clients in pairs. The clients of two pairs share an address, as in an office; the others have
 * their own, as visitors at home.
 */
const honestAddresses = Array.from({ length: 10 }, (_, index) => {
  const at = (offset: number) => (index < 2 ? '203.0.113.1' : `203.0.113.${2 * index + offset}`)
  return { app: at(0), wallet: at(1) }
})
/** Number of messages that wait during the whole flood. */
const waitingMessages = 100

const attackersFile = fileURLToPath(new URL('./attackers.ts', import.meta.url))

/**
 * Runs all attacks in `stopping.ts` at once, from many addresses, while honest clients of the same project
 * publish to each other. No acknowledged message may be lost.
 */
export async function flood(options: {
  storeKind: StoreKind
  addresses: number
  seconds: number
  /** Publishes per second of all honest clients together. */
  perSecond: number
  /** Names of the attacks; all by default. */
  only?: string[]
  /** Called with the outcomes of the attacks. */
  onOutcomes?: (outcomes: Outcomes) => void
}): Promise<Report> {
  const { storeKind, addresses, seconds, perSecond, only, onOutcomes } = options
  const target = await startTarget(storeKind)
  const url = target.url.replace(/^http/, 'ws')
  const traffic = createTraffic({ url, pairs: 10, perSecond, addresses: honestAddresses })
  let attackers: ChildProcess | undefined
  let peakMb = 0
  const sampler = setInterval(() => {
    peakMb = Math.max(peakMb, readMemory())
  }, sampleMs)
  function readMemory() {
    const { exitCode, signalCode } = target.program.child
    return exitCode === null && signalCode === null ? residentMb(target.program.pid) : 0
  }
  try {
    await until(() => traffic.isReady, settleLimitMs)
    const { topic, texts } = await publishForLater(url)
    const restingMb = readMemory()
    traffic.run()
    await wait(warmupMs)
    attackers = startAttackers({
      url: target.url,
      addresses: Array.from({ length: addresses }, (_, index) => `198.51.100.${index + 1}`),
      only,
    })
    const stopNewcomers = startNewcomers(url, newcomerMs)
    await wait(seconds * 1_000)
    const connects = await stopNewcomers()
    traffic.pause()
    const outcomes = await stopAttackers(attackers)
    onOutcomes?.(outcomes)
    const settledMs = await until(() => traffic.isSettled, settleLimitMs)
    const remaining = await readLater(url, topic)
    const tally = traffic.finish()
    const runs = Object.values(outcomes).flatMap(Object.values) as number[]
    const isRunning = target.program.child.exitCode === null
    const findings: Finding[] = [
      { label: 'attack runs', value: runs.reduce((a, b) => a + b, 0), unit: '' },
      { label: 'published', value: tally.published, unit: '' },
      { label: 'acknowledged', value: tally.acknowledged, unit: '' },
      { label: 'delivered', value: tally.delivered, unit: '' },
      {
        label: 'never acknowledged',
        value: tally.published - tally.acknowledged,
        unit: '',
        max: 0,
      },
      { label: 'lost', value: tally.lost, unit: '', max: 0 },
      {
        label: 'lost messages that waited during the flood',
        value: texts.filter((text) => !remaining.has(text)).length,
        unit: '',
        max: 0,
      },
      { label: 'out of order', value: tally.outOfOrder, unit: '', max: 0 },
      { label: 'publishes answered with an error', value: tally.errors, unit: '', max: 0 },
      {
        label: 'publish to deliver, median',
        value: percentile(tally.latenciesMs, 0.5),
        unit: 'ms',
      },
      {
        label: 'publish to deliver, p99',
        value: percentile(tally.latenciesMs, 0.99),
        unit: 'ms',
        max: latencyLimitMs,
      },
      {
        label: 'publish to deliver, slowest',
        value: Math.max(0, ...tally.latenciesMs),
        unit: 'ms',
      },
      { label: 'connections', value: connects.length, unit: '' },
      {
        label: 'connections that failed',
        value: connects.filter((ms) => ms === Infinity).length,
        unit: '',
        max: 0,
      },
      { label: 'connect and subscribe, median', value: percentile(connects, 0.5), unit: 'ms' },
      {
        label: 'connect and subscribe, p99',
        value: percentile(connects, 0.99),
        unit: 'ms',
        max: connectLimitMs,
      },
      {
        label: 'until settled after the flood',
        value: settledMs ?? Infinity,
        unit: 'ms',
        max: settleLimitMs,
      },
      { label: 'resident memory before', value: restingMb, unit: 'MB' },
      { label: 'resident memory, peak', value: peakMb, unit: 'MB', max: memoryLimitMb },
      { label: 'servers that exited', value: isRunning ? 0 : 1, unit: '', max: 0 },
    ]
    return {
      name: `server on ${storeKind}, every attack at once from ${addresses} addresses for ${seconds} s`,
      findings,
    }
  } finally {
    clearInterval(sampler)
    attackers?.kill('SIGKILL')
    traffic.close()
    await target.stop()
  }
}

/**
 * Starts the attackers so that they run only while nothing else needs the CPU. Real attackers have their own machines.
 * With the lowest priority alone, Linux lets an attacker finish its time slice before the server, the store or an
 * honest client continues. `chrt` is part of util-linux and BusyBox.
 */
function startAttackers(options: AttackersOptions): ChildProcess {
  const child = fork(attackersFile, [JSON.stringify(options)], {
    execArgv: ['--conditions=@gatefold/source'],
  })
  const { status } = spawnSync('chrt', ['-a', '-i', '-p', '0', `${child.pid}`])
  if (status !== 0) setPriority(child.pid!, constants.priority.PRIORITY_LOW)
  return child
}

async function stopAttackers(child: ChildProcess): Promise<Outcomes> {
  const answered = once(child, 'message') as Promise<[Outcomes]>
  child.send('stop')
  const [outcomes] = await answered
  return outcomes
}

/** Publishes messages to a client that has not connected yet. */
async function publishForLater(url: string) {
  const app = await openRelayClient(url)
  const topic = randomBytes(32).toString('hex')
  const texts = Array.from({ length: waitingMessages }, (_, index) => `waiting ${index}`)
  for (const text of texts)
    await app.call('irn_publish', { topic, message: text, ttl: 3_600, tag: 0 })
  await app.close()
  return { topic, texts }
}

async function readLater(url: string, topic: string): Promise<Set<string>> {
  const wallet = await openRelayClient(url)
  await wallet.call('irn_subscribe', { topic })
  await until(() => wallet.messages.length >= waitingMessages, 10_000)
  await wallet.close()
  return new Set(wallet.messages)
}
