-- Operations that were signed for a paymaster and whose cost is not known yet.

create table sponsor_operations (
  -- CAIP-2 id
  chain text not null,
  -- hash of the operation at the entry point
  hash text not null,
  project_id text not null,
  user_id text not null,
  -- what was counted towards the limits
  gwei bigint not null,
  -- the latest block when the operation was signed
  block bigint not null,
  -- Unix time in seconds of the last block that can execute it
  valid_until bigint not null,
  created_at bigint not null,
  -- when the row is deleted even if the cost could not be read, Unix time in ms
  expires_at bigint not null,
  primary key (chain, hash)
);

create index sponsor_operations_expires_at on sponsor_operations (expires_at);
