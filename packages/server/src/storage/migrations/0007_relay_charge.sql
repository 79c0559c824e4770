-- Adds the charge of each message: who pays for it, and for how many bytes. With it, a restarted relay can count
-- the waiting messages. The message stays the last column.

create table relay_messages_new (
  topic text not null,
  -- SHA-256 of the text; the same text on the same topic is one message
  id text not null,
  -- 52 bits of a hash of topic and id; null in older rows until the relay next starts
  digest bigint,
  -- publish order; also the JSON-RPC id of the request that pushes the message
  seq bigint primary key,
  -- size of the message and attestation; 0 once every subscriber has acknowledged the message
  bytes integer not null,
  tag bigint not null,
  publisher text not null,
  published_at bigint not null,
  -- the message is not delivered after this time
  expires_at bigint not null,
  -- the row is deleted after this time; until then it serves to detect duplicate publishes
  forget_at bigint not null,
  -- '' in rows from older versions
  charge text not null,
  attestation text,
  -- '' once every subscriber has acknowledged the message
  message text not null
);

insert into relay_messages_new
  (topic, id, digest, seq, bytes, tag, publisher, published_at, expires_at, forget_at, charge, attestation, message)
  select
    topic, id, digest, seq, bytes, tag, publisher, published_at, expires_at, forget_at, '', attestation, message
  from relay_messages
  order by seq;

drop table relay_messages;
alter table relay_messages_new rename to relay_messages;

create index relay_messages_digest on relay_messages (digest);
create index relay_messages_waiting on relay_messages (topic, seq) where bytes > 0;
create index relay_messages_forget_at on relay_messages (forget_at);
