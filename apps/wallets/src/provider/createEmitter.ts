import type { Address, Hex } from 'viem'
import type { ProviderRpcError } from './ProviderRpcError.ts'

/** The EIP-1193 events and their payloads. */
export type ProviderEvents = {
  accountsChanged: readonly Address[]
  chainChanged: Hex
  connect: { chainId: Hex }
  disconnect: ProviderRpcError
}

type Listener = (payload: never) => void

/** An event emitter. A listener that throws does not stop the others. */
export function createEmitter() {
  const listeners = new Map<string, Set<Listener>>()
  return {
    on(event: string, listener: Listener) {
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(listener))
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener)
    },
    emit<name extends keyof ProviderEvents>(event: name, payload: ProviderEvents[name]) {
      for (const listener of Array.from(listeners.get(event) ?? [])) {
        try {
          listener(payload as never)
        } catch (error) {
          // Reported as uncaught, like errors thrown by DOM event listeners.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    clear() {
      listeners.clear()
    },
  }
}
