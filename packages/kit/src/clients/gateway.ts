import { limits } from '@gatefold/protocol'
import {
  firstReason,
  formatWalletsQuery,
  isFeature,
  isWalletListing,
  type AnalyticsConfigResponse,
  type AnalyticsEvent,
  type ConfigResponse,
  type OriginsResponse,
  type WalletsResponse,
} from '@gatefold/protocol/gateway'

import { GatewayError } from '../core/kit/requestErrors.ts'
import type { GatewayClient } from '../core/features/GatewayClient.ts'

/**
 * Creates an HTTP client for a Gatefold gateway, or for any server with the same contract.
 *
 * @see docs/contracts/gateway.md
 */
export function createGatewayClient(parameters: {
  /** The gateway's origin, without a path. */
  url: string
  projectId?: string | undefined
}): GatewayClient {
  const { url: base, projectId } = parameters

  function address(path: string, query: Record<string, string | undefined> = {}): URL {
    const url = new URL(path, base)
    // `st` and `sv` are the SDK type and version of the wire contract. They name the official client, so that
    // every gateway that implements the contract accepts the kit's requests.
    const all = { projectId, st: 'appkit', sv: `react-wagmi-${limits.sdkVersion}`, ...query }
    for (const [name, value] of Object.entries(all)) if (value) url.searchParams.set(name, value)
    return url
  }

  async function request(url: URL, init: RequestInit = {}): Promise<Record<string, unknown>> {
    const timeout = AbortSignal.timeout(limits.httpTimeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const fail = (cause: unknown) => {
      throw new GatewayError(`The gateway at ${base} did not respond.`, { cause })
    }
    const response = await fetch(url, { ...init, signal }).catch(fail)
    // Error responses may have no JSON body. A truncated body is a failure.
    const body: unknown = await response
      .json()
      .catch((cause: unknown) => (cause instanceof SyntaxError ? undefined : fail(cause)))
    const { status } = response
    if (!response.ok) {
      const { field, description, code } = firstReason(body) ?? {}
      throw new GatewayError(description ?? `${url.pathname} returned the status ${status}.`, {
        status,
        field,
        reason: code,
      })
    }
    if (!isRecord(body))
      throw new GatewayError(`${url.pathname} did not return a JSON object.`, { status })
    return body
  }

  return {
    async config(signal) {
      const { features }: Unchecked<ConfigResponse> = await request(address('/appkit/v1/config'), {
        signal,
      })
      return Array.isArray(features) ? features.filter(isFeature) : null
    },
    async origins(signal) {
      const url = address('/projects/v1/origins')
      const { allowedOrigins }: Unchecked<OriginsResponse> = await request(url, { signal })
      return Array.isArray(allowedOrigins)
        ? allowedOrigins.filter((item) => typeof item === 'string')
        : []
    },
    async wallets(query, signal) {
      const url = address('/getWallets', formatWalletsQuery(query))
      const body: Unchecked<WalletsResponse> = await request(url, { signal })
      if (!Array.isArray(body.data))
        throw new GatewayError('The gateway sent a malformed wallet list.')
      const data = body.data.filter(isWalletListing)
      return { data, count: typeof body.count === 'number' ? body.count : data.length }
    },
    async analyticsEnabled(signal) {
      const url = address('/getAnalyticsConfig')
      const { isAnalyticsEnabled }: Unchecked<AnalyticsConfigResponse> = await request(url, {
        signal,
      })
      return isAnalyticsEnabled === true
    },
    async send(event) {
      await request(address('/e'), {
        method: 'POST',
        body: JSON.stringify({
          eventId: crypto.randomUUID(),
          // Query and fragment may contain codes, tokens or email addresses.
          url: globalThis.location && `${location.origin}${location.pathname}`,
          domain: globalThis.location?.hostname,
          timestamp: event.type === 'error' ? new Date().toISOString() : Date.now(),
          props: event as AnalyticsEvent['props'],
        } satisfies AnalyticsEvent),
      })
    },
    request(path, { query, body, signal } = {}) {
      const post = body && { method: 'POST', body: JSON.stringify({ projectId, ...body }) }
      return request(address(path, query), { ...post, signal: signal ?? null })
    },
  }
}

/** A response whose fields are not validated yet. */
type Unchecked<Body> = { [Name in keyof Body]?: unknown }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
