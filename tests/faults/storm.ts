import { randomBytes } from 'node:crypto'
import { createSteadyClient, type SteadyClient } from './createSteadyClient.ts'
import type { Report } from './report.ts'
import { startRelays, type Place } from './startRelays.ts'
import { until } from './until.ts'

/** Everybody is back this soon after a kill. @see docs/threats.md#fault-targets */
const stormLimitMs = 15_000
/** Clients that connect at once at the beginning, so that this is not a storm as well. */
const openAtOnce = 250

/** Ends a relay that holds many idle clients as a crash would: all of them come back at once. */
export async function storm(options: { place: Place; clients: number }): Promise<Report> {
  const { place, clients: count } = options
  const relays = await startRelays(place)
  const clients: SteadyClient[] = []
  let back = 0
  let isStorm = false
  let lastBackAt = 0
  let gone = 0
  let refused = 0
  const open = () =>
    createSteadyClient({
      url: relays.url,
      topics: [randomBytes(32).toString('hex')],
      onBack() {
        back += 1
        lastBackAt = performance.now()
      },
      onGone(code) {
        back -= 1
        if (isStorm) gone += 1
        if (code === 3_000) refused += 1
      },
    })
  try {
    while (clients.length < count) {
      const some = Math.min(openAtOnce, count - clients.length)
      for (let opened = 0; opened < some; opened += 1) clients.push(open())
      await until(() => back === clients.length, stormLimitMs)
    }
    const before = back
    isStorm = true
    const [program] = relays.programs
    const began = performance.now()
    await program!.kill()
    await program!.restart()
    await until(() => back === count, 4 * stormLimitMs)
    return {
      name: `relay on ${place} killed with ${count} idle clients`,
      findings: [
        { what: 'clients that never came at first', value: count - before, unit: '', most: 0 },
        { what: 'lines that were cut', value: gone, unit: '' },
        { what: 'clients that stayed away', value: count - back, unit: '', most: 0 },
        { what: 'clients that were refused', value: refused, unit: '', most: 0 },
        {
          what: 'until all are back',
          value: back === count ? lastBackAt - began : Infinity,
          unit: 'ms',
          most: stormLimitMs,
        },
      ],
    }
  } finally {
    for (const client of clients) client.close()
    await relays.stop()
  }
}
