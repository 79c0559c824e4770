import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './program.ts'
import { askRedis, startRedis, type Redis } from './redis.ts'

/** A Redis Cluster with one replica per primary. */
export type RedisCluster = {
  urls: string[]
  /** The current primaries, in the order of their hash slots. */
  primaries(): Promise<Redis[]>
  /** Kills a primary with SIGKILL, and waits until its replica has become the primary. */
  failOver(index: number): Promise<{ killed: Redis }>
  /** Waits until every primary has a connected replica. */
  settle(): Promise<void>
  stop(): Promise<void>
}

const slotCount = 16_384
/** Time without a response after which a server counts as failed, in ms. */
const nodeTimeoutMs = 1_000

/** Starts a cluster of primaries, each with a replica. Every server syncs each write to disk. */
export async function startRedisCluster(options: { primaries: number }): Promise<RedisCluster> {
  const { primaries: count } = options
  const ports = await Promise.all(Array.from({ length: 4 * count }, freePort))
  const servers = await Promise.all(
    ports.slice(0, 2 * count).map((port, index) =>
      startRedis({
        port,
        configuration: `appendonly yes
appendfsync always
save ""
cluster-enabled yes
cluster-port ${ports[2 * count + index]}
cluster-node-timeout ${nodeTimeoutMs}
repl-diskless-sync-delay 0
`,
      }),
    ),
  )
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  try {
    await form(servers, count, ports.slice(2 * count))
  } catch (error) {
    await stop()
    throw error
  }

  /** The server that has a hash slot. */
  async function ownerOf(slot: number): Promise<Redis | undefined> {
    for (const server of servers) {
      const [role] = await linesOf(server, 'ROLE')
      if (role !== 'master') continue
      const nodes = await linesOf(server, 'CLUSTER NODES')
      const mine = nodes.find((line) => line.includes('myself'))?.split(' ') ?? []
      const hasSlot = mine.slice(8).some((range) => {
        const [first, last = first] = range.split('-').map(Number)
        return first! <= slot && slot <= last!
      })
      if (hasSlot) return server
    }
    return undefined
  }

  async function primaries(): Promise<Redis[]> {
    const found = await Promise.all(
      Array.from({ length: count }, (_, index) => ownerOf(firstSlot(index, count))),
    )
    return found.filter((server) => server !== undefined)
  }

  async function settle() {
    await until(async () => {
      const owners = await primaries()
      if (owners.length < count) return false
      const states = await Promise.all(
        owners.map(async (server) => [
          ...(await linesOf(server, 'INFO replication')),
          ...(await linesOf(server, 'CLUSTER INFO')),
        ]),
      )
      return states.every(
        (lines) =>
          lines.some((line) => /^slave0:.*state=online/.test(line)) &&
          lines.includes('cluster_state:ok'),
      )
    })
  }

  await settle()
  return {
    urls: servers.map(({ url }) => url),
    primaries,
    settle,
    stop,
    async failOver(index) {
      const slot = firstSlot(index, count)
      const killed = (await ownerOf(slot))!
      await killed.kill()
      await until(async () => {
        const owner = await ownerOf(slot)
        return owner !== undefined && owner !== killed
      })
      return { killed }
    },
  }
}

function firstSlot(index: number, count: number) {
  return Math.floor((index * slotCount) / count)
}

async function form(servers: readonly Redis[], count: number, busPorts: readonly number[]) {
  for (const [index, server] of servers.slice(0, count).entries()) {
    const last = firstSlot(index + 1, count) - 1
    await linesOf(server, `CLUSTER ADDSLOTSRANGE ${firstSlot(index, count)} ${last}`)
    await linesOf(server, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`)
  }
  for (const [index, { port }] of servers.slice(1).entries())
    await linesOf(servers[0]!, `CLUSTER MEET 127.0.0.1 ${port} ${busPorts[index + 1]}`)
  await until(async () => {
    const known = await Promise.all(servers.map((server) => linesOf(server, 'CLUSTER NODES')))
    return known.every(
      (lines) => lines.filter((line) => /\sconnected/.test(line)).length >= servers.length,
    )
  })
  for (const [index, replica] of servers.slice(count).entries()) {
    const [id] = await linesOf(servers[index]!, 'CLUSTER MYID')
    await linesOf(replica, `CLUSTER REPLICATE ${id}`)
  }
}

/** Runs a command. @returns the lines of the reply; none if the server does not respond. */
async function linesOf({ port }: Redis, command: string): Promise<string[]> {
  const answer = await askRedis(port, command).catch(() => '')
  if (answer.startsWith('-')) throw new Error(`${command}: ${answer}`)
  return answer.split(/\r?\n/).filter((line) => line && !/^[*$:]/.test(line))
}

async function until(condition: () => Promise<boolean>) {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The Redis Cluster did not become ready.')
    await wait(50)
  }
}
