-- A message is found by one number instead of an index of topics and ids: an index of text has a page
-- for each few messages, and nearly each message of a commit had another one of them written.

create table relay_messages_new (
  topic text not null,
  -- sha256 of the text: the same text on the same topic is one message
  id text not null,
  -- 52 bits of a hash of topic and id; missing in rows from before until the relay starts
  digest bigint,
  -- order of publishing; also the id of the request that pushes it
  seq bigint primary key,
  -- '' once everybody has it
  message text not null,
  -- 0 once everybody has it
  bytes integer not null,
  attestation text,
  tag bigint not null,
  publisher text not null,
  published_at bigint not null,
  -- no longer delivered after this
  expires_at bigint not null,
  -- the row stays until then, so that a repeated publish is known
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
