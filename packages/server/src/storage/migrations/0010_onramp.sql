-- Orders of the on-ramp.

create table onramp_orders (
  -- unguessable: who knows it can read the order
  id text primary key,
  project_id text not null,
  -- keyed hash of the client's address
  client text not null,
  provider text not null,
  -- created, pending, paid, failed or expired
  status text not null,
  -- what the provider waits for while the status stays the same; empty if nothing
  step text not null,
  -- why the order failed, or empty
  reason text not null,
  -- CAIP-2 id
  chain_id text not null,
  account text not null,
  symbol text not null,
  payment_currency text not null,
  payment_total text not null,
  fee text not null,
  network_fee text not null,
  purchase_amount text not null,
  -- empty until it is known
  received_amount text not null,
  transaction_hash text not null,
  -- the provider's own data about the order: its id for the order, or the signed transaction of the sandbox
  reference text not null,
  return_url text not null,
  -- Unix time in ms before which the provider is not asked, or the sandbox does not pay out
  due_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null
);

create index onramp_orders_client on onramp_orders (client, status);
create index onramp_orders_project on onramp_orders (project_id, status);
create index onramp_orders_provider on onramp_orders (provider, status, due_at);
create index onramp_orders_expires_at on onramp_orders (status, expires_at);
create index onramp_orders_updated_at on onramp_orders (updated_at);

-- Webhooks that were handled, so that each of them has one effect.
create table onramp_events (
  id text primary key,
  expires_at bigint not null
);

create index onramp_events_expires_at on onramp_events (expires_at);
