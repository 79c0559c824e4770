import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits } from '@gatefold/protocol'
import { toDidKey } from '@gatefold/protocol/relay'
import type { Context } from '../context.ts'
import { readRelayKey } from '../storage/relayWatches.ts'
import { createHub, type Hub } from './hub/createHub.ts'
import { createRateLimit } from './requests/createRateLimit.ts'
import { createSocketServer, type SocketServer } from './socket/createSocketServer.ts'
import type { DriverEvents, RelayDriver } from './drivers/RelayDriver.ts'
import { createEmbeddedDriver } from './drivers/embedded/createEmbeddedDriver.ts'
import { createRelayMetrics } from './metrics.ts'
import type { RelayContext } from './RelayContext.ts'
import type { RedisDriverOptions } from './drivers/redis/createRedisDriver.ts'
import { postRpc } from './requests/postRpc.ts'
import { usualTiming, type RelayTiming } from './timing.ts'

export type Relay = Awaited<ReturnType<typeof createRelay>>

/**
 * The relay: mailboxes that hold encrypted messages until whoever subscribes has them.
 *
 * @throws what the driver throws when its store cannot be used.
 * @see docs/relay.md
 */
export async function createRelay(context: Context, timing: RelayTiming = usualTiming) {
  const { config, log, now, storage } = context
  // The driver tells the hub, which asks the driver; and the metrics ask both.
  let hub: Hub | undefined
  let sockets: SocketServer | undefined
  const events: DriverEvents = {
    onMessages: (messages) => hub?.onMessages(messages),
    onGap: () => hub?.readEverything(),
  }
  const shared = {
    ...events,
    now,
    onTrouble: (error: unknown) => log.error(inShort(error), 'the message store does not answer'),
  }
  const driver = config.redisUrl
    ? await openRedis({ ...shared, url: config.redisUrl, onRisk: (what) => log.warn(what) })
    : await createEmbeddedDriver({ ...shared, storage })
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
    onError: (error) => log.warn(inShort(error), 'a mailbox could not be read or written'),
  })
  const rateLimit = createRateLimit({
    perSecond: limits.relayPublishRate,
    burst: limits.relayPublishBurst,
    now,
  })
  const relayId = toDidKey(await readRelayKey(storage.db))
  const parts: RelayContext = {
    context,
    driver,
    hub,
    metrics,
    rateLimit,
    pendingSubscriptions: new Map(),
    relayId,
  }
  const opened = createSocketServer(parts, timing)
  sockets = opened

  return {
    routes: { '/rpc': { POST: postRpc(parts) } },

    /** For the `upgrade` event of the HTTP server. */
    upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) =>
      opened.upgrade(request, stream, head),

    /** For `/health`. */
    health() {
      const trouble = driver.trouble()
      return {
        isUp: trouble === undefined,
        body: {
          relay: {
            status: trouble === undefined ? 'up' : 'down',
            connections: opened.count,
            ...(trouble !== undefined && { trouble }),
          },
        },
      }
    },

    /** Sends clients away in waves over the time given, finishes what was published, lets go. */
    async close(graceMs: number) {
      await opened.close(graceMs)
      hub.close()
      await driver.close()
    },
  }
}

/** Loads the client of Redis on use: a relay without Redis starts without it. */
async function openRedis(options: RedisDriverOptions): Promise<RelayDriver> {
  const { createRedisDriver } = await import('./drivers/redis/createRedisDriver.ts')
  return createRedisDriver(options)
}

/** An error of the database without its details, which may hold topics. */
function inShort(error: unknown) {
  const { message, code } = error as NodeJS.ErrnoException
  return { reason: message || code, code }
}
