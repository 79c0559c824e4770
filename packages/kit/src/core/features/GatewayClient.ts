import type {
  ConfigResponse,
  OriginsResponse,
  WalletsQuery,
  WalletsResponse,
} from '@gatefold/protocol/gateway'

/**
 * The kit's HTTP requests to a gateway, implemented in `clients/gateway.ts`. A failed request rejects with
 * `GatewayError`. Requests time out after 10 s (§9.4.2); those with a `signal` can be aborted.
 */
export type GatewayClient = {
  config(signal?: AbortSignal): Promise<ConfigResponse['features']>
  origins(signal?: AbortSignal): Promise<OriginsResponse['allowedOrigins']>
  wallets(query: WalletsQuery, signal?: AbortSignal): Promise<WalletsResponse>
  analyticsEnabled(signal?: AbortSignal): Promise<boolean>
  send(event: Record<string, unknown>): Promise<void>
  /**
   * Sends another request of the contract. The caller checks the response.
   *
   * @param options.body - sends a POST with this JSON
   */
  request(
    path: string,
    options?: {
      query?: Record<string, string | undefined> | undefined
      body?: Record<string, unknown> | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<Record<string, unknown>>
}
