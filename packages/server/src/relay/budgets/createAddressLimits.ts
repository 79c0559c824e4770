import { LRUCache } from 'lru-cache'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'

export type AddressLimits = ReturnType<typeof createAddressLimits>

/** Client ids that are not counted as new. */
const knownClients = 100_000

/**
 * Bounds the open sockets and the new client ids of an address, in this process: keys are free.
 *
 * @param options.clients - new client ids at once; as many are replenished in an hour.
 */
export function createAddressLimits(options: {
  sockets: number
  clients: number
  now: () => number
}) {
  const { sockets, clients, now } = options
  const open = new Map<string, number>()
  const known = new LRUCache<string, true>({ max: knownClients })
  const newClients = createTokenBuckets({ burst: clients, perSecond: clients / 3_600, now })

  function admitClient(address: string, clientId: string): boolean {
    if (!known.get(clientId) && newClients.take(address) > 0) return false
    known.set(clientId, true)
    return true
  }

  return {
    /** Whether an address may use this client id. */
    admitClient,

    /** Whether an address may open a socket for this client id. */
    admitSocket(address: string, clientId: string): boolean {
      return (open.get(address) ?? 0) < sockets && admitClient(address, clientId)
    },

    opened(address: string) {
      open.set(address, (open.get(address) ?? 0) + 1)
    },

    closed(address: string) {
      const count = (open.get(address) ?? 0) - 1
      if (count > 0) open.set(address, count)
      else open.delete(address)
    },
  }
}
