-- Social logins of the secure frame.

create table frame_social_logins (
  -- SHA-256 of the state of OAuth 2.0, or of the id of a login with Farcaster
  id text primary key,
  device_id text not null,
  device_name text not null,
  project_id text not null,
  origin text not null,
  provider text not null,
  -- SHA-256 of the verifier that only the frame has (PKCE); null for Farcaster
  challenge text,
  nonce text not null,
  -- the token of the channel at the relay of Farcaster, encrypted under a key of the server; null for OAuth 2.0
  channel_key_id text,
  channel text,
  expires_at bigint not null
);

create index frame_social_logins_expires_at on frame_social_logins (expires_at);

-- Who a user is at a provider. An e-mail address is never enough: it can be given to somebody else.
create table frame_identities (
  issuer text not null,
  subject text not null,
  user_id text not null,
  provider text not null,
  created_at bigint not null,
  primary key (issuer, subject)
);

create index frame_identities_user_id on frame_identities (user_id);
