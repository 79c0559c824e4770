/**
 * Moves the prices on running local chains until it receives a signal or a chain
 * stops. The arguments are the chains' URLs; by default, both chains on their
 * default ports.
 */
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { movePrices, pricePauseMs } from './movePrices.ts'
import { reachable } from './reachable.ts'

const given = process.argv.slice(2)
const urls =
  given.length > 0
    ? given
    : [gatefoldLocal(), gatefoldSecond()].map((it) => it.rpcUrls.default.http[0])

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
// Sent only if the parent opened an IPC channel (`stdio: [..., 'ipc']`).
process.once('disconnect', () => stopping.abort())

const found = await reachable(urls)
for (const url of found) console.log(`Moving the prices on ${url}; Ctrl-C stops.`)
const { signal } = stopping
const moving = found.map(async (url) =>
  movePrices({ url }, { steps: Infinity, pauseMs: pricePauseMs, signal }),
)
await Promise.all(moving).catch((error: unknown) => {
  if (!signal.aborted)
    console.error(`Stopped: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = signal.aborted ? 0 : 1
  stopping.abort()
})
if (process.connected) process.disconnect()
