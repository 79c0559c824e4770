-- One schema for SQLite and PostgreSQL. The only types are text, bigint and integer. JSON is stored as text.

create table projects (
  id text primary key,
  name text not null,
  -- JSON array of origins; * matches whole labels or the port
  allowed_origins text not null,
  -- 1 if the specification's default origins are allowed too
  default_origins integer not null,
  -- JSON object: feature id to "off", "local" or an array
  features text not null,
  -- JSON array of domains that the project owns
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
