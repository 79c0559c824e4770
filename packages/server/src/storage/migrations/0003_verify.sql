-- The verify service: its keys, attestations that older wallets look up, and the scam list.

create table verify_keys (
  -- ES256 signs attestations, HS256 the tokens of framed pages
  alg text not null,
  -- starts at 1; the active key with the greatest serial signs
  serial integer not null,
  -- private JWK
  jwk text not null,
  -- ms; in the future at first, so that every process has loaded the key before it signs
  active_from bigint not null,
  primary key (alg, serial)
);

create table verify_attestations (
  -- sha256 of the inner request's text, 64 hex
  id text primary key,
  origin text not null,
  is_scam integer not null,
  expires_at bigint not null
);

create index verify_attestations_expires_at on verify_attestations (expires_at);

create table scam_domains (
  -- lower case, punycode; includes its subdomains
  domain text primary key,
  added_at bigint not null
);
