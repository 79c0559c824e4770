-- Who pays for a waiting message and for how many bytes, so that a restarted relay counts it again. Before the
-- message, which stays the last column.

create table relay_messages_new (
  topic text not null,
  -- sha256 of the text: the same text on the same topic is one message
  id text not null,
  -- 52 bits of a hash of topic and id; null in older rows until the next start of the relay
  digest bigint,
  -- order of publishing; also the id of the request that pushes it
  seq bigint primary key,
  -- 0 after every subscriber has acknowledged it
  bytes integer not null,
  tag bigint not null,
  publisher text not null,
  published_at bigint not null,
  -- not delivered after this time
  expires_at bigint not null,
  -- the row is kept until then to recognise a repeated publish
  forget_at bigint not null,
  -- '' in rows of older versions
  charge text not null,
  attestation text,
  -- '' after every subscriber has acknowledged it
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
