import { limits } from '@gatefold/protocol'

import { GatewayError } from '../core/kit/errors.ts'
import type { RemoteFeatureEntry } from '../core/features/features.ts'
import type { GatewayClient } from '../core/features/GatewayClient.ts'
import type { WalletListing } from '../core/wallets/WalletListing.ts'

/**
 * Talks to a Gatefold gateway, or to any server with the same contract.
 *
 * @see contracts: project API and analytics
 */
export function createGatewayClient(parameters: {
  /** Bare origin. */
  url: string
  projectId?: string | undefined
}): GatewayClient {
  const { url: base, projectId } = parameters

  function address(path: string, query: Record<string, string | undefined> = {}): URL {
    const url = new URL(path, base)
    const all = { projectId, st: 'appkit', sv: `react-wagmi-${limits.sdkVersion}`, ...query }
    for (const [name, value] of Object.entries(all)) if (value) url.searchParams.set(name, value)
    return url
  }

  async function request(url: URL, init: RequestInit = {}): Promise<unknown> {
    const timeout = AbortSignal.timeout(limits.httpTimeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    let response: Response
    try {
      response = await fetch(url, { ...init, signal })
    } catch (cause) {
      throw new GatewayError(`The server at ${base} did not answer.`, { cause })
    }
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok)
      throw new GatewayError(reasonOf(body) ?? `The server answered ${response.status}.`, {
        status: response.status,
      })
    return body
  }

  return {
    async config(signal) {
      const body = await request(address('/appkit/v1/config'), { signal })
      const features = isRecord(body) ? body.features : undefined
      return Array.isArray(features) ? features.filter(isFeatureEntry) : null
    },
    async origins(signal) {
      const body = await request(address('/projects/v1/origins'), { signal })
      const origins = isRecord(body) ? body.allowedOrigins : undefined
      return Array.isArray(origins) ? origins.filter((item) => typeof item === 'string') : []
    },
    async wallets(query, signal) {
      const body = await request(
        address('/getWallets', {
          page: String(query.page),
          entries: String(query.entries),
          search: query.search,
          badge_type: query.badge_type,
          include: query.include?.join(','),
          exclude: query.exclude?.join(','),
          chains: query.chains?.join(','),
        }),
        { signal },
      )
      if (!isRecord(body) || !Array.isArray(body.data))
        throw new GatewayError('The server sent a wallet list of another shape.')
      const data = body.data.filter(isWallet)
      return { data, count: typeof body.count === 'number' ? body.count : data.length }
    },
    async analyticsEnabled(signal) {
      const body = await request(address('/getAnalyticsConfig'), { signal })
      return isRecord(body) && body.isAnalyticsEnabled === true
    },
    async send(event) {
      await request(address('/e'), {
        method: 'POST',
        body: JSON.stringify({
          eventId: crypto.randomUUID(),
          url: globalThis.location?.href,
          domain: globalThis.location?.hostname,
          timestamp: event.type === 'error' ? new Date().toISOString() : Date.now(),
          props: event,
        }),
      })
    },
  }
}

/** The first reason the server gave. @see spec §8.5.2 */
function reasonOf(body: unknown): string | undefined {
  const reasons = isRecord(body) && Array.isArray(body.reasons) ? body.reasons : []
  const first: unknown = reasons[0]
  return isRecord(first) && typeof first.description === 'string' ? first.description : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFeatureEntry(value: unknown): value is RemoteFeatureEntry {
  return isRecord(value) && typeof value.id === 'string'
}

/** A wallet with a name and an id; links of another type would end in an `href`, so they are refused. */
function isWallet(value: unknown): value is WalletListing {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.name !== 'string')
    return false
  return [
    'image_url',
    'homepage',
    'mobile_link',
    'desktop_link',
    'webapp_link',
    'app_store',
    'play_store',
    'chrome_store',
    'rdns',
  ].every(
    (key) => value[key] === undefined || value[key] === null || typeof value[key] === 'string',
  )
}
