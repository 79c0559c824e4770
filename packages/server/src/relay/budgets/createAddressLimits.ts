import { LRUCache } from 'lru-cache'
import type { TokenBuckets } from '../../http/createTokenBuckets.ts'
import type { RateLimit } from '../requests/createRateLimit.ts'

export type AddressLimits = ReturnType<typeof createAddressLimits>

/** How many client ids are remembered, so that they do not count as new again. */
const knownClients = 100_000
/**
 * The debt in ms at which the subscriptions of connecting clients are not accepted, although they were read from the
 * store. The debt can be this high because many clients may connect while the subscriptions of the first are read.
 */
const maxConnectOwedMs = 60_000

/**
 * Limits the open sockets of each address, in this process, its new client ids, their new subscriptions, and the
 * subscriptions of its clients that connect; a subscribe over HTTP counts as if its client connected. Limits per client id are not enough, because a client can create any number
 * of ids.
 *
 * @param options.newClients - a token for each new client id, by address.
 * @param options.newTopics - a token for each new subscription, by address.
 * @param options.connects - a unit for each subscription of a client that connects, by address.
 */
export function createAddressLimits(options: {
  sockets: number
  newClients: TokenBuckets
  newTopics: TokenBuckets
  connects: RateLimit
}) {
  const { sockets, newClients, newTopics, connects } = options
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

    /** Whether the subscriptions of a client that connects may be read from the store. */
    mayConnect: (address: string) => connects.take(address, 0, 1) < Infinity,

    /** Counts the subscriptions of a client that connects, and returns whether they may be used. */
    admitConnect: (address: string, topics: number) =>
      connects.take(address, topics, maxConnectOwedMs) < Infinity,

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
