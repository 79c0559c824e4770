import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits } from '@gatefold/protocol'
import { toDidKey } from '@gatefold/protocol/relay'
import { readRelayKey } from '../storage/relayWatches.ts'
import { createAddressLimits } from './budgets/createAddressLimits.ts'
import { createLocalLedger } from './budgets/createLocalLedger.ts'
import { createSharedLedger } from './budgets/createSharedLedger.ts'
import { createStorageBudgets } from './budgets/createStorageBudgets.ts'
import { createSlots } from '../http/createSlots.ts'
import { createHub, type Hub } from './hub/createHub.ts'
import { createRateLimit } from './requests/createRateLimit.ts'
import { createSocketServer, hasRoom, type SocketServer } from './socket/createSocketServer.ts'
import type { DriverEvents, RelayDriver } from './drivers/RelayDriver.ts'
import { createEmbeddedDriver } from './drivers/embedded/createEmbeddedDriver.ts'
import { createRelayMetrics } from './metrics.ts'
import type { RelayContext, ServerContext } from './RelayContext.ts'
import type { RedisDriverOptions } from './drivers/redis/createRedisDriver.ts'
import { pageBytes } from './requests/dispatch.ts'
import { postRpc } from './requests/postRpc.ts'
import { usualTiming } from './timing.ts'

export type Relay = Awaited<ReturnType<typeof createRelay>>

/**
 * Maximum number of watches that are written at the same time. Each occupies one of ten connections to PostgreSQL for a
 * transaction, and new clients need one too.
 */
const watchesAtOnce = 2
/** Maximum number of watches that wait to be written. */
const waitingWatches = 1_000
const waitingWatchesPerAddress = 100

/**
 * Subscriptions of clients that connect from an address, in multiples of its new subscriptions: as a burst, and per
 * second after that. 10,000 clients with 20 subscriptions each can reconnect at once.
 */
const connectBurst = 4
const connectsPerSecond = 0.04

/** Share of the capacity, and of the hourly bytes, that one project may use. */
const projectShare = 0.1

/**
 * Share of its limits up to which an address uses little: 256 KiB of 32 MiB. It is then not refused because others have
 * used up the limit of its project, or of the relay, but only above their ceilings.
 */
const smallShare = 0.0078125
/** The ceiling of a project, as a multiple of its limit. */
const projectCeiling = 1.5
/** The ceiling of all projects together, as a multiple of the capacity. */
const capacityCeiling = 1.25

/**
 * Creates the relay, which stores encrypted messages until their subscribers acknowledge them.
 *
 * @throws the driver's error if its store cannot be used.
 * @see docs/relay.md
 */
export async function createRelay(context: ServerContext) {
  const { config, log, now, sharedAccounts, storage, relayTiming: timing = usualTiming } = context
  // Assigned later: the driver's events need the hub, which needs the driver. The metrics need the sockets.
  let hub: Hub | undefined
  let sockets: SocketServer | undefined
  const mib = 1024 * 1024
  const address = {
    waiting: config.relayAddressMib * mib,
    hourly: config.relayAddressHourlyMib * mib,
  }
  const all = { waiting: config.relayCapacityMib * mib, hourly: config.relayHourlyMib * mib }
  const identity = await readRelayKey(storage.db)
  const ledger = sharedAccounts
    ? createSharedLedger({ accounts: sharedAccounts, now })
    : createLocalLedger({ now })
  const storageBudgets = createStorageBudgets({
    limits: {
      address: { ...address, smallShare },
      client: address,
      project: {
        waiting: all.waiting * projectShare,
        hourly: all.hourly * projectShare,
        ceiling: projectCeiling,
      },
      all: { ...all, ceiling: capacityCeiling },
    },
    ledger,
    secret: identity.privateKey,
    now,
  })
  const events: DriverEvents = {
    onMessages: (messages) => hub?.onMessages(messages),
    onGap: () => hub?.readEverything(),
    onDropped: (charges) => storageBudgets.release(charges),
  }
  const shared = {
    ...events,
    now,
    onError: (error: unknown) => log.error(summarize(error), 'the message store is unavailable'),
  }
  const driver = context.redis
    ? await openRedisDriver({ ...shared, redis: context.redis })
    : await createEmbeddedDriver({ ...shared, storage })
  if (driver.charges)
    storageBudgets.restore(driver.charges(), (error) =>
      log.warn(summarize(error), 'counting waiting messages failed'),
    )
  const metrics = createRelayMetrics(context.metrics.registry, {
    connections: () => sockets?.count ?? 0,
    mailboxes: () => driver.stats().catch(() => undefined),
  })
  hub = createHub({
    driver,
    metrics,
    now,
    deliveryDelayMs: config.relayDeliveryDelayMs,
    timing,
    hasRoom,
    memory: context.memory,
    nextTurn: (address) => context.turns.next(address, pageBytes),
    onError: (error) => log.warn(summarize(error), 'reading or writing a mailbox failed'),
  })
  const rateLimits = {
    publish: createRateLimit({
      perSecond: limits.relayPublishRate,
      burst: limits.relayPublishBurst,
      now,
    }),
    topic: createRateLimit({
      perSecond: limits.relayTopicRate,
      burst: limits.relayTopicBurst,
      now,
    }),
  }
  const relayId = toDidKey(identity.publicKey)
  const relay: RelayContext = {
    context,
    driver,
    hub,
    metrics,
    addressLimits: createAddressLimits({
      sockets: config.relayAddressSockets,
      newClients: context.limits.clients,
      newTopics: context.limits.topics,
      connects: createRateLimit({
        perSecond: connectsPerSecond * context.limits.topics.burst,
        burst: connectBurst * context.limits.topics.burst,
        now,
      }),
    }),
    storageBudgets,
    rateLimits,
    pendingSubscriptions: new Map(),
    watchSlots: createSlots({
      all: watchesAtOnce,
      perKey: 1,
      waiting: waitingWatches,
      waitingPerKey: waitingWatchesPerAddress,
    }),
    relayId,
  }
  const server = createSocketServer(relay, timing)
  sockets = server

  return {
    routes: { '/rpc': { POST: postRpc(relay) } },

    /** Handles the HTTP server's `upgrade` event. */
    upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) =>
      server.upgrade(request, stream, head),

    /** The relay's state for `/health`. */
    health() {
      const error = driver.error()
      return {
        isUp: error === undefined,
        body: {
          relay: {
            status: error === undefined ? 'up' : 'down',
            connections: server.count,
            error,
          },
        },
      }
    },

    /** Closes sockets in waves over the grace period, commits pending writes and closes every handle. */
    async close(graceMs: number) {
      await server.close(graceMs)
      hub.close()
      await driver.close()
      await ledger.close?.()
    },
  }
}

/** Loads the Redis driver only if Redis is configured, so that a relay without Redis starts faster. */
async function openRedisDriver(options: RedisDriverOptions): Promise<RelayDriver> {
  const { createRedisDriver } = await import('./drivers/redis/createRedisDriver.ts')
  return createRedisDriver(options)
}

/** Describes a store's error without its details, which may contain topics. */
function summarize(error: unknown) {
  const { message, code } = error as NodeJS.ErrnoException
  return { reason: message || code, code }
}
