import { randomBytes } from 'node:crypto'
import { openRelayClient } from '../../packages/server/src/testing/openRelayClient.ts'

/** Time after which official clients give up an attempt to connect, in ms. */
const attemptMs = 10_000

/**
 * Opens a socket at a steady interval, as clients of new visitors do. Each has its own network address, subscribes to a
 * topic, then closes. The server must trust a proxy.
 *
 * @returns a function that stops, waits for the attempts in progress and resolves with their times in ms;
 * `Infinity` for each attempt that failed.
 */
export function startNewcomers(url: string, everyMs: number): () => Promise<number[]> {
  const attempts: Promise<number>[] = []
  const timer = setInterval(() => attempts.push(attempt(url, attempts.length)), everyMs)
  return () => {
    clearInterval(timer)
    return Promise.all(attempts)
  }
}

async function attempt(url: string, index: number): Promise<number> {
  const start = performance.now()
  const opened = open(url, `192.0.2.${index % 256}`)
  const timeout = new Promise<number>((resolve) => setTimeout(resolve, attemptMs, Infinity).unref())
  return Promise.race([opened.then(() => performance.now() - start).catch(() => Infinity), timeout])
}

async function open(url: string, address: string) {
  const client = await openRelayClient(url, { headers: { 'x-forwarded-for': address } })
  try {
    await client.call('irn_subscribe', { topic: randomBytes(32).toString('hex') })
  } finally {
    await client.close()
  }
}
