import type { FrameLanguage } from '@gatefold/protocol/frame'

export type FrameTables = {
  frame_users: FrameUsersTable
  frame_devices: FrameDevicesTable
  frame_logins: FrameLoginsTable
  frame_social_logins: FrameSocialLoginsTable
  frame_identities: FrameIdentitiesTable
  frame_codes: FrameCodesTable
  frame_limits: { key: string; times: string; expires_at: number }
  frame_used: { id: string; expires_at: number }
  frame_sessions: FrameSessionsTable
  frame_refresh_tokens: FrameRefreshTokensTable
  frame_sets: FrameSetsTable
  frame_auth_shares: FrameAuthSharesTable
  frame_email_changes: FrameEmailChangesTable
  frame_email_undos: FrameEmailUndosTable
  frame_removals: FrameRemovalsTable
  frame_audit: FrameAuditTable
  frame_keys: { id: string }
  sponsor_policies: SponsorPoliciesTable
  sponsor_spent: SponsorSpentTable
  sponsor_operations: SponsorOperationsTable
  frame_recoveries: FrameRecoveriesTable
  frame_handovers: FrameHandoversTable
  frame_user_projects: { user_id: string; project_id: string }
  frame_passkeys: FramePasskeysTable
}

export type FrameUsersTable = {
  id: string
  email: string | null
  user_name: string | null
  epoch: number
  eip155: string | null
  solana: string | null
  smart_account_kind: string | null
  smart_account_owner: string | null
  /** The language of mails; `null` until a device with the wallet has set it. */
  language: FrameLanguage | null
  created_at: number
}

export type FrameDevicesTable = {
  user_id: string
  id: string
  name: string
  origin: string
  confirmed_at: number | null
  created_at: number
  last_used_at: number
}

export type FrameLoginsTable = {
  id: string
  device_id: string
  device_name: string
  email: string
  project_id: string
  origin: string
  link_hash: string | null
  confirmed_at: number | null
  code_sent_at: number | null
  expires_at: number
}

export type FrameSocialLoginsTable = {
  id: string
  device_id: string
  device_name: string
  project_id: string
  origin: string
  provider: string
  challenge: string | null
  nonce: string
  channel_key_id: string | null
  channel: string | null
  is_redirected: number
  expires_at: number
}

export type FrameIdentitiesTable = {
  issuer: string
  subject: string
  user_id: string
  provider: string
  created_at: number
}

export type FrameCodesTable = {
  id: string
  purpose: string
  device_id: string
  hash: string
  tries: number
  is_used: number
  expires_at: number
}

export type FrameSessionsTable = {
  id: string
  user_id: string
  device_id: string
  project_id: string
  origin: string
  epoch: number
  access_hash: string
  access_expires_at: number
  logged_in_at: number
  needs_code: number
  expires_at: number
}

export type FrameRefreshTokensTable = {
  hash: string
  session_id: string
  is_used: number
  expires_at: number
}

export type FrameSetsTable = {
  id: string
  user_id: string
  device_id: string
  epoch: number
  eip155: string
  solana: string
  smart_account_kind: string | null
  smart_account_owner: string | null
  recovery_share: string
  recovery_public_key: string | null
  wraps: string
  methods_signature: string | null
  is_automatic: number
  recovery_id: string
  replaces_version: number | null
  created_at: number
  committed_at: number | null
}

export type FrameRecoveriesTable = {
  user_id: string
  recovery_id: string
  version: number
  wraps: string
  escrow_id: string | null
  public_key: string | null
  signature: string | null
  is_outdated: number
}

export type FrameHandoversTable = {
  id: string
  token_hash: string
  user_id: string
  device_id: string
  page_device_id: string | null
  public_key: string
  origin: string
  device_name: string
  sealed: string | null
  expires_at: number
}

export type FramePasskeysTable = {
  id: string
  user_id: string
  public_key: string
  counter: number
  name: string
  created_at: number
}

export type FrameAuthSharesTable = {
  set_id: string
  user_id: string
  epoch: number
  key_id: string
  sealed: string
}

export type FrameEmailChangesTable = {
  id: string
  user_id: string
  device_id: string
  project_id: string
  origin: string
  old_email: string | null
  new_email: string
  is_primary_verified: number
  expires_at: number
}

export type FrameEmailUndosTable = {
  hash: string
  user_id: string
  old_email: string
  new_email: string
  project_id: string
  origin: string
  created_at: number
  expires_at: number
}

export type FrameRemovalsTable = {
  hash: string
  user_id: string
  device_id: string
  project_id: string
  origin: string
  expires_at: number
  outcome: 'removed' | 'signed_out' | null
}

export type FrameAuditTable = {
  id: string
  user_id: string
  at: number
  event: string
  device_name: string | null
  origin: string | null
}

export type SponsorPoliciesTable = {
  project_id: string
  contracts: string
  methods: string
  user_day_gwei: number
  day_gwei: number
  total_gwei: number
}

export type SponsorOperationsTable = {
  chain: string
  hash: string
  project_id: string
  user_id: string
  gwei: number
  block: number
  valid_until: number
  created_at: number
  expires_at: number
}

export type SponsorSpentTable = {
  project_id: string
  chain: string
  key: string
  gwei: number
  expires_at: number
}
