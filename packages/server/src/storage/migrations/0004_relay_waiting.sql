-- A mailbox is read and counted through an index of only the waiting messages. Other rows serve to detect
-- duplicates.

drop index relay_messages_topic_seq;
create index relay_messages_waiting on relay_messages (topic, seq) where bytes > 0;
