import type {
  ConfigResponse,
  OriginsResponse,
  WalletsQuery,
  WalletsResponse,
} from '@gatefold/protocol/gateway'

/**
 * The HTTP requests of the kit to a gateway, implemented in `clients/gateway.ts`.
 * Every method rejects with `GatewayError`; `signal` aborts it; each times out after 10 s (§9.4.2).
 */
export type GatewayClient = {
  config(signal?: AbortSignal): Promise<ConfigResponse['features']>
  origins(signal?: AbortSignal): Promise<OriginsResponse['allowedOrigins']>
  wallets(query: WalletsQuery, signal?: AbortSignal): Promise<WalletsResponse>
  analyticsEnabled(signal?: AbortSignal): Promise<boolean>
  send(event: Record<string, unknown>): Promise<void>
}
