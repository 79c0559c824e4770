import type { FrameTables } from './frame/tables.ts'

/** Every table of the database, as created by the migrations. */
export type Database = {
  projects: ProjectsTable
  analytics_events: EventsTable
} & FrameTables &
  HistoryTables &
  NameTables &
  OnrampTables &
  PriceTables &
  RelayTables &
  VerifyTables

export type ProjectsTable = {
  id: string
  name: string
  allowed_origins: string
  default_origins: number
  features: string
  domains: string
  zone: string | null
  analytics: number
  confirm_devices: number
  recovery: string
  passkey_login: number
  active: number
  created_at: number
  updated_at: number
}

export type EventsTable = {
  project_id: string
  event_id: string
  kind: string
  name: string
  domain: string
  page: string
  sdk_type: string
  sdk_version: string
  properties: string
  occurred_at: number
  received_at: number
}

export type NameTables = {
  names: NamesTable
  name_signer: { id: number; private_key: string }
}

export type NamesTable = {
  name: string
  zone: string
  owner: string
  owner_chain: string
  addresses: string
  attributes: string
  signed_at: number
  registered_at: number
  updated_at: number
}

export type RelayTables = {
  relay_messages: RelayMessagesTable
  relay_subscriptions: RelaySubscriptionsTable
  relay_acks: RelayAcksTable
  relay_watches: RelayWatchesTable
  relay_identity: { id: number; public_key: string; private_key: string }
}

export type RelayMessagesTable = {
  topic: string
  id: string
  /** See {@link toDigest}; null in rows from older versions. */
  digest: number | null
  seq: number
  message: string
  bytes: number
  attestation: string | null
  tag: number
  publisher: string
  published_at: number
  expires_at: number
  forget_at: number
  charge: string
}

export type RelaySubscriptionsTable = { client_id: string; topic: string; subscribed_at: number }

export type RelayAcksTable = { seq: number; client_id: string }

export type RelayWatchesTable = {
  client_id: string
  kind: string
  webhook: string
  tags: string
  statuses: string
  expires_at: number
}

export type VerifyTables = {
  verify_keys: { alg: 'ES256' | 'HS256'; serial: number; jwk: string; active_from: number }
  verify_attestations: { id: string; origin: string; is_scam: number; expires_at: number }
  scam_domains: { domain: string; added_at: number }
}

export type HistoryTables = {
  history_watches: HistoryWatchesTable
  history_blocks: { chain: string; number: number; hash: string }
  history_entries: HistoryEntriesTable
  history_assets: HistoryAssetsTable
  history_leases: { chain: string; owner: string; expires_at: number }
}

export type HistoryWatchesTable = {
  chain: string
  address: string
  requested_at: number
  followed_from: number | null
  backfill_next: number | null
  backfill_end: number | null
}

export type HistoryEntriesTable = {
  chain: string
  address: string
  block: number
  position: number
  facts: string
}

export type HistoryAssetsTable = {
  chain: string
  address: string
  contract: string
  token_id: string
  standard: 'erc20' | 'erc721' | 'erc1155'
  last_seen_at: number
}

export type PriceTables = { price_samples: PriceSamplesTable }

export type PriceSamplesTable = {
  chain: string
  token: string
  period: 'day' | 'week' | 'month'
  step: number
  at: number
  price: number
}

export type OnrampTables = {
  onramp_orders: OnrampOrdersTable
  onramp_events: { id: string; expires_at: number }
}

export type OnrampOrdersTable = {
  id: string
  project_id: string
  client: string
  provider: string
  status: 'created' | 'pending' | 'paid' | 'failed' | 'expired'
  step: string
  reason: string
  chain_id: string
  account: string
  symbol: string
  payment_currency: string
  payment_total: string
  fee: string
  network_fee: string
  purchase_amount: string
  received_amount: string
  transaction_hash: string
  reference: string
  return_url: string
  url: string
  due_at: number
  created_at: number
  updated_at: number
  expires_at: number
}
