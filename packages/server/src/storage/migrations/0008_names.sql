-- Names of accounts, and the key that signs answers about them.

-- the zone of a project's names; null for that of the default project
alter table projects add column zone text;

create table names (
  -- lower case, with its zone
  name text primary key,
  zone text not null,
  -- 20 bytes in hexadecimal, lower case
  owner text not null,
  -- '' if the owner is a key; otherwise the CAIP-2 id of the chain whose contract at the address signs
  owner_chain text not null,
  -- JSON object: coin type to address
  addresses text not null,
  -- JSON object
  attributes text not null,
  -- Unix time in seconds of the last signed message; an update needs a later one
  signed_at bigint not null,
  registered_at bigint not null,
  updated_at bigint not null
);

create index names_owner on names (owner);

create table name_signer (
  -- always 1
  id integer primary key,
  -- secp256k1, 32 bytes in hexadecimal
  private_key text not null
);
