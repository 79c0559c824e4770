-- The verify service: its keys, attestations that older wallets look up, and the scam list.

create table verify_keys (
  -- ES256 signs attestations, HS256 the tokens of framed pages
  alg text not null,
  -- starts at 1; the active key with the highest serial signs
  serial integer not null,
  -- private JWK
  jwk text not null,
  -- Unix time in ms from which the key signs; at first in the future, so that every process can load the key
  active_from bigint not null,
  primary key (alg, serial)
);

create table verify_attestations (
  -- SHA-256 of the decrypted JSON-RPC request's text, 64 hex digits; or 'ticket:' and the id of a used ticket
  id text primary key,
  origin text not null,
  is_scam integer not null,
  expires_at bigint not null
);

create index verify_attestations_expires_at on verify_attestations (expires_at);

create table scam_domains (
  -- lower case, punycode; the entry also applies to subdomains
  domain text primary key,
  added_at bigint not null
);
