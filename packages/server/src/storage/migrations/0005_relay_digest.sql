-- Looks up messages by a numeric digest. The previous index on (topic, id) had long keys, so a page held
-- only a few entries, and nearly every message in a commit wrote to a different page.

create table relay_messages_new (
  topic text not null,
  -- SHA-256 of the text; the same text on the same topic is one message
  id text not null,
  -- 52 bits of a hash of topic and id; null in older rows until the relay next starts
  digest bigint,
  -- publish order; also the JSON-RPC id of the request that pushes the message
  seq bigint primary key,
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
  forget_at bigint not null
);

insert into relay_messages_new
  (topic, id, seq, message, bytes, attestation, tag, publisher, published_at, expires_at, forget_at)
  select
    topic, id, seq, message, bytes, attestation, tag, publisher, published_at, expires_at, forget_at
  from relay_messages
  order by seq;

drop table relay_messages;
alter table relay_messages_new rename to relay_messages;

create index relay_messages_digest on relay_messages (digest);
create index relay_messages_waiting on relay_messages (topic, seq) where bytes > 0;
create index relay_messages_forget_at on relay_messages (forget_at);
