import { afterEach } from 'vitest'
import { createKeychain } from '../crypto/createKeychain.ts'
import { createRelayer, type RelayerOptions } from '../relayer/createRelayer.ts'
import type { Relayer, RelayMessage } from '../relayer/Relayer.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { startScriptedRelay } from './startScriptedRelay.ts'

export const topic = 'a'.repeat(64)
export const other = 'b'.repeat(64)
export const options = { ttl: 300, tag: 1108, prompt: true }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Starts a scripted relay that is closed after the test. */
export async function startRelay(...parameters: Parameters<typeof startScriptedRelay>) {
  const relay = await startScriptedRelay(...parameters)
  ends.push(() => relay.close())
  return relay
}

/** Creates a relayer that is closed after the test. */
export async function openRelayer(relayUrl: string, more: Partial<RelayerOptions> = {}) {
  const store = more.store ?? createMemoryStore()
  const keychain = await createKeychain({ store, key: 'keys' })
  const relayer = await createRelayer({ relayUrl, keychain, ...more, store })
  ends.push(() => relayer.close())
  const received: RelayMessage[] = []
  return { relayer, store, keychain, received }
}

/** Collects messages in `received`. */
export function listen({ relayer, received }: { relayer: Relayer; received: RelayMessage[] }) {
  relayer.onMessage(async (message) => void received.push(message))
}
