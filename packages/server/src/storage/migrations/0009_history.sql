-- The history of accounts on EVM chains, which the role `money` indexes over RPC.

create table history_watches (
  -- CAIP-2 id
  chain text not null,
  -- lower case
  address text not null,
  -- Unix time in ms of a request for the address, at most an hour before the last one
  requested_at bigint not null,
  -- the first block that is read as soon as it is mined; null until the indexer has seen the row
  followed_from bigint,
  -- older blocks are read downwards: the next one, and the last one; null until this has started
  backfill_next bigint,
  backfill_end bigint,
  primary key (chain, address)
);

create index history_watches_new on history_watches (chain) where followed_from is null;
create index history_watches_requested_at on history_watches (chain, requested_at);

create table history_blocks (
  -- the last blocks that were read, and the first one; the highest number is the position of the indexer
  chain text not null,
  number bigint not null,
  hash text not null,
  primary key (chain, number)
);

create table history_entries (
  chain text not null,
  address text not null,
  block bigint not null,
  -- index of the transaction in its block
  position integer not null,
  -- JSON
  facts text not null,
  primary key (chain, address, block, position)
);

create index history_entries_block on history_entries (chain, block);

create table history_assets (
  -- tokens that were transferred to or from an account; it may no longer own them
  chain text not null,
  address text not null,
  contract text not null,
  -- decimal; '' for ERC-20
  token_id text not null,
  standard text not null,
  -- Unix time in ms of the block of the last transfer
  last_seen_at bigint not null,
  primary key (chain, address, contract, token_id)
);

create table history_leases (
  -- the process that indexes a chain
  chain text primary key,
  owner text not null,
  expires_at bigint not null
);
