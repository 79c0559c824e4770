-- SQLite reads a row from its front: what stands behind a large message is found only by walking over
-- all of the message. So the message and what came with it stand at the end.

create table relay_messages_new (
  topic text not null,
  -- sha256 of the text: the same text on the same topic is one message
  id text not null,
  -- 52 bits of a hash of topic and id; missing in rows from before until the relay starts
  digest bigint,
  -- order of publishing; also the id of the request that pushes it
  seq bigint primary key,
  -- 0 once everybody has it
  bytes integer not null,
  tag bigint not null,
  publisher text not null,
  published_at bigint not null,
  -- no longer delivered after this
  expires_at bigint not null,
  -- the row stays until then, so that a repeated publish is known
  forget_at bigint not null,
  attestation text,
  -- '' once everybody has it
  message text not null
);

insert into relay_messages_new
  (topic, id, digest, seq, bytes, tag, publisher, published_at, expires_at, forget_at, attestation, message)
  select
    topic, id, digest, seq, bytes, tag, publisher, published_at, expires_at, forget_at, attestation, message
  from relay_messages
  order by seq;

drop table relay_messages;
alter table relay_messages_new rename to relay_messages;

create index relay_messages_digest on relay_messages (digest);
create index relay_messages_waiting on relay_messages (topic, seq) where bytes > 0;
create index relay_messages_forget_at on relay_messages (forget_at);
