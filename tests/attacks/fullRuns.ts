import type { Report } from '../faults/report.ts'
import { flood } from './flood.ts'
import { fuzz } from './fuzz.ts'

/**
 * The runs at full size. `npm test` runs the fuzz, and the flood on SQLite and Redis, at a small
 * size.
 */
export const fullRuns: { name: string; run: () => Promise<Report> }[] = [
  ...(['SQLite', 'PostgreSQL', 'Redis'] as const).map((storeKind) => ({
    name: `flood on ${storeKind}`,
    run: () =>
      flood({
        storeKind,
        addresses: 20,
        seconds: 60,
        perSecond: 50,
        onOutcomes: (outcomes) => {
          for (const [attack, counts] of Object.entries(outcomes))
            console.log(`  ${attack.padEnd(16)} ${JSON.stringify(counts)}`)
        },
      }),
  })),
  {
    name: 'fuzz',
    run: () => {
      const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
      return fuzz({ requests: 200_000, seed, onWrong: (what) => console.error(what) })
    },
  },
]
