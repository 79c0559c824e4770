import { Counter } from 'prom-client'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import { publicAnswers } from '../http/answers.ts'
import { createPreflight, withCredentials } from '../http/cors.ts'
import { bindRoutes, type Role, type RouteTable } from '../http/Role.ts'
import { ChainUnavailableError } from '../rpc/createChain.ts'
import { runEvery } from '../runEvery.ts'
import { deleteEventsBefore } from '../storage/events.ts'
import { headers, refuse } from './answers.ts'
import type { GatewayContext } from './context.ts'
import { createDirectory, readDirectory } from './directory.ts'
import { postEvent, postEventBatch } from './events.ts'
import { getImage, readImages } from './images.ts'
import { getAnalyticsConfig, getConfig, getOrigins, getProjectLimits } from './project.ts'
import { getRpc, postBundler, postRpc } from './rpc.ts'
import { getSupportedChains } from './supportedChains.ts'
import { getWallets } from './wallets.ts'

const dayMs = 24 * 60 * 60_000

/** @see docs/gateway.md */
const routes: RouteTable<GatewayContext> = {
  '/getWallets': { GET: getWallets },
  '/getWalletImage/:id': { GET: ({ images }) => getImage(images.wallets) },
  '/public/getAssetImage/:id': { GET: ({ images }) => getImage(images.assets) },
  '/public/getCurrencyImage/:id': {
    GET: ({ images }) => getImage(images.currencies, { ignoreCase: true }),
  },
  '/public/getTokenImage/:id': {
    GET: ({ images }) => getImage(images.tokens, { ignoreCase: true }),
  },
  '/appkit/v1/config': { GET: getConfig },
  '/appkit/v1/project-limits': { GET: getProjectLimits },
  '/projects/v1/origins': { GET: getOrigins },
  '/getAnalyticsConfig': { GET: getAnalyticsConfig },
  '/e': { POST: postEvent },
  '/batch': { POST: postEventBatch },
  '/v1': { GET: getRpc, POST: postRpc },
  '/v1/bundler': { POST: postBundler },
  '/v1/supported-chains': { GET: getSupportedChains },
}

export const gatewayPaths = Object.keys(routes)

/** The HTTP gateway: wallet directory, images, project settings, analytics, JSON-RPC proxy. */
export function createGatewayRole(context: createGatewayRole.Context): Role {
  const { config, log, metrics, now, storage } = context
  const file = readDirectory()
  const chains = context.chains.byId
  const own: GatewayContext = {
    config,
    now,
    metrics,
    storage,
    memory: context.memory,
    projects: context.projects,
    limits: context.limits,
    refuse,
    directory: createDirectory({ file, chains: [...chains.keys()] }),
    images: readImages(file),
    chains,
    bundlers: context.bundlers.byId,
    eventsStored: new Counter({
      name: 'gatefold_analytics_events_total',
      help: 'Analytics events stored.',
      registers: [metrics.registry],
    }),
  }
  const stops: (() => void)[] = []
  return {
    routes: bindRoutes(routes, own),
    answers: publicAnswers,
    preflight: (c) =>
      beaconPaths.has(c.req.path)
        ? withCredentials(preflight(c), c.req.header('origin'))
        : preflight(c),
    health: () => ({
      isUp: true,
      body: {
        rpc: context.chains.status(),
        ...(context.bundlers.byId.size > 0 && { bundlers: context.bundlers.status() }),
      },
    }),
    onError: (error) =>
      error instanceof ChainUnavailableError
        ? refuse(503, { field: 'chainId', description: error.shortMessage }, { 'retry-after': '5' })
        : undefined,
    onListening() {
      stops.push(
        context.chains.keepProbing(),
        context.bundlers.keepProbing(),
        runEvery(dayMs, () =>
          deleteEventsBefore(storage.db, now() - config.analyticsDays * dayMs).catch(
            (error: unknown) => log.warn({ err: error }, 'deleting old events failed'),
          ),
        ),
      )
    },
    close: () => stops.forEach((stop) => stop()),
  }
}

export declare namespace createGatewayRole {
  type Context = Omit<AccessContext, 'refuse' | 'metrics'> &
    ServerContext & {
      config: Pick<Config, 'analytics' | 'analyticsDays'>
    }
}

type ServerContext = Pick<
  Context,
  'bundlers' | 'chains' | 'log' | 'memory' | 'metrics' | 'now' | 'storage'
>

/** Paths that official clients post to with `sendBeacon`. */
const beaconPaths = new Set(['/e', '/batch'])

const preflight = createPreflight({
  headers,
  methods: 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  // All headers that official clients send.
  allowHeaders:
    'content-type, x-sdk-type, x-sdk-version, x-nonce-jwt, x-otp, authorization, solana-client',
  anyHeader: true,
})
