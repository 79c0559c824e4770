import { LRUCache } from 'lru-cache'
import type { TokenBuckets } from '../../http/createTokenBuckets.ts'

export type AddressLimits = ReturnType<typeof createAddressLimits>

/** How many client ids are remembered, so that they do not count as new again. */
const knownClients = 100_000

/**
 * Limits the open sockets of each address, in this process, its new client ids and their new subscriptions. Limits per
 * client id are not enough, because a client can create any number of ids.
 *
 * @param options.newClients - a token for each new client id, by address.
 * @param options.newTopics - a token for each new subscription, by address.
 */
export function createAddressLimits(options: {
  sockets: number
  newClients: TokenBuckets
  newTopics: TokenBuckets
}) {
  const { sockets, newClients, newTopics } = options
  const open = new Map<string, number>()
  const known = new LRUCache<string, true>({ max: knownClients })

  function admitClient(address: string, clientId: string): boolean {
    if (!known.get(clientId) && newClients.take(address) > 0) return false
    known.set(clientId, true)
    return true
  }

  return {
    /** Counts a client id, if it is new, and returns whether the address may use it. */
    admitClient,

    /** Counts new subscriptions, and returns whether the address may add them. */
    admitTopics: (address: string, count: number) =>
      count === 0 || newTopics.take(address, count) === 0,

    /** Like `admitClient`, for a client that opens a socket; also checks the number of sockets. */
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
