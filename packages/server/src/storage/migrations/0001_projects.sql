-- One schema for SQLite and PostgreSQL: text, bigint and integer only, JSON kept as text.

create table projects (
  id text primary key,
  name text not null,
  -- JSON list of origins; * matches whole labels or the port
  allowed_origins text not null,
  -- 1: the specification's default list is allowed too
  default_origins integer not null,
  -- JSON object: feature id to "off", "local" or a list
  features text not null,
  -- JSON list of domains the project has proven to own
  domains text not null,
  analytics integer not null,
  active integer not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table analytics_events (
  project_id text not null,
  -- from the client; an event that is sent twice is stored once
  event_id text not null,
  kind text not null,
  name text not null,
  domain text not null,
  page text not null,
  sdk_type text not null,
  sdk_version text not null,
  properties text not null,
  occurred_at bigint not null,
  received_at bigint not null,
  primary key (project_id, event_id)
);

create index analytics_events_received_at on analytics_events (received_at);
