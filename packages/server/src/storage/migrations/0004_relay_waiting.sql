-- Reads and counts of a mailbox use only rows of waiting messages, not those kept to recognise duplicates.

drop index relay_messages_topic_seq;
create index relay_messages_waiting on relay_messages (topic, seq) where bytes > 0;
