import { ErrorReply } from '@redis/client'
import type { Config } from '../config.ts'
import { createTopology } from '../redis/createTopology.ts'
import type { RedisNode } from '../redis/createNode.ts'
import { networkFix, reasonOf, type ClockSample, type Finding } from './Finding.ts'

/** Oldest supported major version, for sharded channels. */
const oldest = 7

/** Checks every primary: version, durability, eviction, replicas. */
export async function checkRedis(
  { redisUrls: urls, redisReplicas: replicas }: Config,
  now: () => number,
): Promise<{ findings: Finding[]; clocks: ClockSample[] }> {
  if (!urls) {
    const message =
      'REDIS_URL is not set: messages are in the database, and only one process may run the relay.'
    return { findings: [{ check: 'redis', status: 'skipped', message }], clocks: [] }
  }
  let topology: Awaited<ReturnType<typeof createTopology>>
  try {
    topology = await createTopology({ urls })
  } catch (error) {
    return { findings: [fault(error, urls)], clocks: [] }
  }
  try {
    const clocks: ClockSample[] = []
    const findings: Finding[] = []
    for (const node of topology.nodes()) findings.push(...(await checkNode(node, replicas)))
    for (const node of topology.nodes()) clocks.push(await readClock(node, now))
    return { findings, clocks }
  } catch (error) {
    return { findings: [fault(error, urls)], clocks: [] }
  } finally {
    topology.close()
  }
}

async function checkNode({ url, reader }: RedisNode, replicas: number): Promise<Finding[]> {
  const { host } = new URL(url)
  // A hosted Redis may not allow these commands.
  const settings: Record<string, string> = await reader
    .configGet(['appendonly', 'appendfsync', 'maxmemory-policy'])
    .catch(() => ({}))
  const info = await reader.info().catch(() => '')
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'of unknown version'
  const connected = Number(/^connected_slaves:(\d+)/m.exec(info)?.[1] ?? 0)
  const isReplica = /^role:slave/m.test(info)
  const policy = settings['maxmemory-policy']
  const problems: Omit<Finding, 'check'>[] = []
  const add = (status: Finding['status'], message: string, fix: string) =>
    problems.push({ status, message: `Redis at ${host} ${message}`, fix })
  const set = (name: string, value: string) =>
    `redis-cli CONFIG SET ${name} ${value}, and the same line in redis.conf.`

  if (Number.parseInt(version, 10) < oldest)
    add('error', `is version ${version}.`, `Install Redis ${oldest} or later.`)
  if (isReplica)
    add('error', 'is a read-only replica.', 'Set REDIS_URL to the primary, or to the Sentinels.')
  if (policy !== undefined && policy !== 'noeviction')
    add(
      'error',
      `deletes undelivered messages when its memory is full (maxmemory-policy ${policy}).`,
      set('maxmemory-policy', 'noeviction'),
    )
  if (settings['appendonly'] === 'no')
    add('warning', 'has appendonly off: a crash loses messages.', set('appendonly', 'yes'))
  else if (settings['appendfsync'] === 'no')
    add('warning', 'has appendfsync no: a power cut loses messages.', set('appendfsync', 'always'))
  if (connected < replicas)
    add(
      'error',
      `has ${connected} connected replicas, but ${replicas} must confirm each message: the relay acknowledges no messages.`,
      'Connect the replicas, or lower GATEFOLD_REDIS_REPLICAS.',
    )
  else if (connected > replicas)
    add(
      'warning',
      `has ${connected} replicas, but only ${replicas} must confirm each message: a failover may lose messages.`,
      `Set GATEFOLD_REDIS_REPLICAS=${connected}.`,
    )
  if (problems.length > 0) return problems.map((problem) => ({ check: 'redis', ...problem }))
  return [{ check: 'redis', status: 'ok', message: `Redis ${version} at ${host} responds.` }]
}

async function readClock({ url, reader }: RedisNode, now: () => number): Promise<ClockSample> {
  const before = now()
  const [seconds, microseconds] = (await reader.sendCommand(['TIME'])) as unknown as string[]
  const time = Number(seconds) * 1000 + Number(microseconds) / 1000
  return { source: `Redis at ${new URL(url).host}`, aheadMs: (before + now()) / 2 - time }
}

function fault(error: unknown, urls: readonly string[]): Finding {
  const hosts = urls.map((url) => new URL(url).host).join(', ')
  const innermost = innermostOf(error)
  const reason = reasonOf(innermost)
  const isAuth =
    innermost instanceof ErrorReply && /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(innermost.message)
  return {
    check: 'redis',
    status: 'error',
    message: `Redis at ${hosts} cannot be used: ${innermost instanceof Error && innermost.message ? innermost.message : reason}.`,
    fix: isAuth
      ? 'Correct user and password in REDIS_URL.'
      : (networkFix(reason, 'REDIS_URL') ??
        'Correct REDIS_URL; docs/relay-production.md describes its forms.'),
  }
}

function innermostOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermostOf(error.cause) : error
}
