-- The secure frame: users, devices, logins, sessions and shares. Tokens, codes and links are stored as hashes only.

-- 1 if a login on a new device of this project's sites is confirmed by a mailed link first
alter table projects add column confirm_devices integer not null default 0;

create table frame_users (
  id text primary key,
  -- lower case; null for a user without an address
  email text,
  -- the name at the social provider
  user_name text,
  -- incremented by signing out everywhere
  epoch integer not null,
  -- the addresses of the wallet, which never change; null until the first set of shares is committed
  eip155 text,
  solana text,
  created_at bigint not null
);

create unique index frame_users_email on frame_users (email);

create table frame_devices (
  user_id text not null,
  -- thumbprint of the device key
  id text not null,
  name text not null,
  -- of the page that embedded the frame at the last login
  origin text not null,
  -- when the device was confirmed by a mailed link; null if it was not
  confirmed_at bigint,
  created_at bigint not null,
  last_used_at bigint not null,
  primary key (user_id, id)
);

create table frame_logins (
  id text primary key,
  device_id text not null,
  device_name text not null,
  email text not null,
  project_id text not null,
  origin text not null,
  -- SHA-256 of the token in the mailed link; null if the device need not be confirmed
  link_hash text,
  confirmed_at bigint,
  -- when the code was mailed; null while the device is not confirmed
  code_sent_at bigint,
  expires_at bigint not null
);

create index frame_logins_email on frame_logins (email, device_id);
create unique index frame_logins_link_hash on frame_logins (link_hash);
create index frame_logins_expires_at on frame_logins (expires_at);

create table frame_codes (
  -- id of the login or e-mail change
  id text not null,
  purpose text not null,
  device_id text not null,
  -- HMAC of the code and of everything that it is bound to
  hash text not null,
  tries integer not null,
  is_used integer not null,
  expires_at bigint not null,
  primary key (id, purpose)
);

create index frame_codes_expires_at on frame_codes (expires_at);

create table frame_limits (
  -- what is limited and a keyed hash of for whom
  key text primary key,
  -- JSON array: Unix times in ms of the last uses
  times text not null,
  expires_at bigint not null
);

create index frame_limits_expires_at on frame_limits (expires_at);

-- Ids of proofs and nonces that were used, so that each is accepted once.
create table frame_used (
  id text primary key,
  expires_at bigint not null
);

create index frame_used_expires_at on frame_used (expires_at);

create table frame_sessions (
  id text primary key,
  user_id text not null,
  device_id text not null,
  project_id text not null,
  origin text not null,
  -- epoch of the user at the login
  epoch integer not null,
  -- SHA-256
  access_hash text not null,
  access_expires_at bigint not null,
  logged_in_at bigint not null,
  -- when the last refresh token expires
  expires_at bigint not null
);

create unique index frame_sessions_access_hash on frame_sessions (access_hash);
create index frame_sessions_user_id on frame_sessions (user_id);
create index frame_sessions_expires_at on frame_sessions (expires_at);

create table frame_refresh_tokens (
  -- SHA-256
  hash text primary key,
  session_id text not null,
  is_used integer not null,
  expires_at bigint not null
);

create index frame_refresh_tokens_session_id on frame_refresh_tokens (session_id);
create index frame_refresh_tokens_expires_at on frame_refresh_tokens (expires_at);

create table frame_sets (
  -- chosen by the device
  id text primary key,
  user_id text not null,
  device_id text not null,
  epoch integer not null,
  eip155 text not null,
  solana text not null,
  -- encrypted by the device under the recovery key
  recovery_share text not null,
  -- JSON array
  wraps text not null,
  -- 1 if the escrow store has the recovery key
  is_automatic integer not null,
  created_at bigint not null,
  -- null while the set is staged
  committed_at bigint
);

create index frame_sets_user_id on frame_sets (user_id);

create table frame_auth_shares (
  set_id text primary key,
  user_id text not null,
  epoch integer not null,
  -- the key of the server that encrypts the share
  key_id text not null,
  sealed text not null
);

create index frame_auth_shares_key_id on frame_auth_shares (key_id);

create table frame_email_changes (
  id text primary key,
  user_id text not null,
  device_id text not null,
  project_id text not null,
  origin text not null,
  -- null for a user without an address
  old_email text,
  new_email text not null,
  -- 1 once the code to the old address was entered
  is_primary_verified integer not null,
  expires_at bigint not null
);

create index frame_email_changes_expires_at on frame_email_changes (expires_at);

create table frame_email_undos (
  -- SHA-256 of the token in the mailed link
  hash text primary key,
  user_id text not null,
  old_email text not null,
  new_email text not null,
  project_id text not null,
  origin text not null,
  created_at bigint not null,
  expires_at bigint not null
);

create index frame_email_undos_old_email on frame_email_undos (old_email);
create index frame_email_undos_expires_at on frame_email_undos (expires_at);

create table frame_audit (
  id text primary key,
  user_id text not null,
  at bigint not null,
  event text not null,
  device_name text,
  origin text
);

create index frame_audit_user_id on frame_audit (user_id, at);

-- Ids of the keys that are in use, so that a process with other keys does not start.
create table frame_keys (
  id text primary key
);
