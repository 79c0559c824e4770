-- Mailboxes of the relay's embedded driver.

create table relay_messages (
  topic text not null,
  -- SHA-256 of the text; the same text on the same topic is one message
  id text not null,
  -- publish order; also the JSON-RPC id of the request that pushes the message
  seq bigint not null,
  -- '' once every subscriber has acknowledged the message
  message text not null,
  -- size of the message; 0 once every subscriber has acknowledged it
  bytes integer not null,
  attestation text,
  tag bigint not null,
  publisher text not null,
  published_at bigint not null,
  -- the message is not delivered after this time
  expires_at bigint not null,
  -- the row is deleted after this time; until then it serves to detect duplicate publishes
  forget_at bigint not null,
  primary key (topic, id)
);

create unique index relay_messages_seq on relay_messages (seq);
create index relay_messages_topic_seq on relay_messages (topic, seq);
create index relay_messages_forget_at on relay_messages (forget_at);

create table relay_subscriptions (
  client_id text not null,
  topic text not null,
  -- time of a recent subscribe; updated at most once a day
  subscribed_at bigint not null,
  primary key (client_id, topic)
);

create index relay_subscriptions_topic on relay_subscriptions (topic);
create index relay_subscriptions_subscribed_at on relay_subscriptions (subscribed_at);

create table relay_acks (
  seq bigint not null,
  client_id text not null,
  primary key (seq, client_id)
);

create table relay_watches (
  client_id text not null,
  kind text not null,
  webhook text not null,
  -- JSON arrays
  tags text not null,
  statuses text not null,
  expires_at bigint not null,
  primary key (client_id, kind, webhook)
);

-- A single row: the key pair that identifies this relay to services, in base64url.
create table relay_identity (
  id integer primary key,
  public_key text not null,
  private_key text not null
);
