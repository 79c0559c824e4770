/**
 * The attackers of a flood as a process of their own, so that their work does not delay the client that
 * is measured. Attacks from the addresses in its arguments until the parent sends a message, then answers
 * with the outcomes of each attack.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { attacks, type Attack } from './stopping.ts'

/** Outcomes by attack, such as HTTP statuses and tags of errors, with their number. */
export type Outcomes = Record<string, Record<string, number>>

/** The arguments of the process, as JSON. */
export type AttackersOptions = {
  /** `http://…`, of the server. */
  url: string
  addresses: string[]
  /** Names of the attacks; all without. */
  only?: string[] | undefined
}

const { url, addresses, only } = JSON.parse(process.argv[2]!) as AttackersOptions
const outcomes: Outcomes = {}
const stopped = new AbortController()

for (const [index, address] of addresses.entries())
  for (const [name, attack] of Object.entries(attacks))
    if (!only || only.includes(name)) void run(name, attack, { url, address, index })

process.once('message', () => {
  stopped.abort()
  process.send!(outcomes, undefined, undefined, () => process.exit())
})
process.once('disconnect', () => process.exit())

/** Repeats an attack without a pause, in as many strands as it has. */
async function run(name: string, attack: Attack, from: Parameters<Attack['start']>[0]) {
  const counts = (outcomes[name] ??= {})
  const strike = attack.start(from)
  const count = (outcome: string) => (counts[outcome] = (counts[outcome] ?? 0) + 1)
  const strand = async () => {
    while (!stopped.signal.aborted) {
      try {
        count(await strike())
      } catch (error) {
        count((error as NodeJS.ErrnoException).code ?? String(error))
        // A refused connection fails immediately.
        await wait(20)
      }
    }
  }
  for (let at = 0; at < attack.strands; at += 1) void strand()
}
