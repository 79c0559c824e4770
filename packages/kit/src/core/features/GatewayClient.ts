import type { RemoteFeatureEntry } from './features.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

export type WalletsQuery = {
  page: number
  entries: number
  search?: string | undefined
  badge_type?: 'certified' | undefined
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
  chains?: readonly string[] | undefined
}

/**
 * The half of a server the kit talks to. Implemented in `clients/gateway.ts`.
 * Every method rejects with `GatewayError`; `signal` cancels it; none waits longer than 10 s (§9.4.2).
 */
export type GatewayClient = {
  config(signal?: AbortSignal): Promise<readonly RemoteFeatureEntry[] | null>
  origins(signal?: AbortSignal): Promise<readonly string[]>
  wallets(
    query: WalletsQuery,
    signal?: AbortSignal,
  ): Promise<{ data: readonly WalletListing[]; count: number }>
  analyticsEnabled(signal?: AbortSignal): Promise<boolean>
  send(event: Record<string, unknown>): Promise<void>
}
