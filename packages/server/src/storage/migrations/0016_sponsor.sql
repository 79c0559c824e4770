-- Operations of smart accounts that a project pays for.

create table sponsor_policies (
  project_id text primary key,
  -- JSON array of addresses in lower case; empty: any contract
  contracts text not null,
  -- JSON array of selectors, and of "send" for a call without data; empty: any method
  methods text not null,
  -- limits in gwei of the currency of each chain
  user_day_gwei bigint not null,
  day_gwei bigint not null,
  total_gwei bigint not null
);

create table sponsor_spent (
  project_id text not null,
  -- CAIP-2 id
  chain text not null,
  -- total, the day, or the day and the user
  key text not null,
  gwei bigint not null,
  -- Unix time in ms
  expires_at bigint not null,
  primary key (project_id, chain, key)
);

create index sponsor_spent_expires_at on sponsor_spent (expires_at);
