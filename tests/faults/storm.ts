import { randomBytes } from 'node:crypto'
import { createSteadyClient, type SteadyClient } from './createSteadyClient.ts'
import type { Report } from './report.ts'
import { startRelays, type StoreKind } from './startRelays.ts'
import { until } from './until.ts'

/** Limit for all clients to reconnect after a kill. @see docs/threats.md#fault-targets */
const stormLimitMs = 15_000
/**
 * Number of clients that connect at the same time before the fault. Limited, so that the first connections
 * do not overload the relay.
 */
const openAtOnce = 250
/** Open files of the process besides the sockets of the clients and the balancer, rounded up. */
const otherFiles = 200

/** Kills a relay with many idle clients, so that its clients reconnect all at once. */
export async function storm(options: { storeKind: StoreKind; clients: number }): Promise<Report> {
  const { storeKind, clients: count } = options
  checkOpenFiles(count * (hasBalancer(storeKind) ? 3 : 1))
  const relays = await startRelays(storeKind)
  const clients: SteadyClient[] = []
  let ready = 0
  let isStorm = false
  let lastReadyAt = 0
  let cut = 0
  let refused = 0
  const open = () =>
    createSteadyClient({
      url: relays.url,
      topics: [randomBytes(32).toString('hex')],
      onReady() {
        ready += 1
        lastReadyAt = performance.now()
      },
      onClose(code) {
        ready -= 1
        if (isStorm) cut += 1
        if (code === 3_000) refused += 1
      },
    })
  try {
    while (clients.length < count) {
      const some = Math.min(openAtOnce, count - clients.length)
      for (let opened = 0; opened < some; opened += 1) clients.push(open())
      await until(() => ready === clients.length, stormLimitMs)
    }
    const before = ready
    isStorm = true
    const [program] = relays.programs
    const began = performance.now()
    await program!.kill()
    await program!.restart()
    await until(() => ready === count, 4 * stormLimitMs)
    return {
      name: `relay on ${storeKind} killed with ${count} idle clients`,
      findings: [
        { label: 'clients that never connected', value: count - before, unit: '', max: 0 },
        { label: 'connections cut', value: cut, unit: '' },
        { label: 'clients not reconnected', value: count - ready, unit: '', max: 0 },
        { label: 'clients refused', value: refused, unit: '', max: 0 },
        {
          label: 'until all have reconnected',
          value: ready === count ? lastReadyAt - began : Infinity,
          unit: 'ms',
          max: stormLimitMs,
        },
      ],
    }
  } finally {
    for (const client of clients) client.close()
    await relays.stop()
  }
}

/** Whether this process also runs a load balancer, with two sockets for each client. */
function hasBalancer(storeKind: StoreKind) {
  return storeKind === 'Redis' || storeKind === 'Redis Cluster'
}

/** @throws if the process may not open this many sockets, because clients would then never connect. */
function checkOpenFiles(sockets: number) {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files: { soft: number | 'unlimited' } }
  }
  const limit = userLimits?.open_files.soft
  if (typeof limit === 'number' && sockets + otherFiles > limit)
    throw new Error(
      `The clients need ${sockets + otherFiles} open files, but the limit is ${limit}. Raise it with \`ulimit -n\`, or pass fewer \`--clients\`.`,
    )
}
