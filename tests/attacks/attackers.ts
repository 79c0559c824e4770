/**
 * Runs the attackers of a flood in a separate process, so that their work does not delay the measured client.
 * Attacks from the addresses in its arguments until the parent process sends a message, then replies with the
 * outcomes of each attack.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { attacks, type Attack } from './stopping.ts'

/** By attack: how often each outcome occurred, such as an HTTP status or an error tag. */
export type Outcomes = Record<string, Record<string, number>>

/** The process's argument, as JSON. */
export type AttackersOptions = {
  /** The server's URL, `http://…`. */
  url: string
  addresses: string[]
  /** Names of the attacks; all by default. */
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

/** Starts the loops of an attack. Each repeats the attack's request, with a pause only after an error. */
async function run(name: string, attack: Attack, from: Parameters<Attack['start']>[0]) {
  const counts = (outcomes[name] ??= {})
  const runOnce = attack.start(from)
  const count = (outcome: string) => (counts[outcome] = (counts[outcome] ?? 0) + 1)
  const loop = async () => {
    while (!stopped.signal.aborted) {
      try {
        count(await runOnce())
      } catch (error) {
        count((error as NodeJS.ErrnoException).code ?? String(error))
        // Without this pause, refused connections, which fail immediately, would use all of the CPU.
        await wait(20)
      }
    }
  }
  for (let at = 0; at < attack.concurrency; at += 1) void loop()
}
