-- The verify service: its keys, what it attested for old wallets, and the operator's scam list.

create table verify_keys (
  -- ES256: signs attestations; HS256: binds what a framed page sends back
  alg text not null,
  -- 1 is the first; of those that are active the greatest signs
  serial integer not null,
  -- private JWK
  jwk text not null,
  -- ms; a little ahead, so that every process knows a key before it signs
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
  -- lower case, punycode; its subdomains are meant too
  domain text primary key,
  added_at bigint not null
);
