-- Reading and weighing a mailbox touches what waits only, not what stays known for a while.

drop index relay_messages_topic_seq;
create index relay_messages_waiting on relay_messages (topic, seq) where bytes > 0;
