-- The data from which the smart account of a user is computed, so that a device without the key can show the account.
-- Null until a device has stored it.
alter table frame_users add column smart_account_kind text;
alter table frame_users add column smart_account_owner text;
alter table frame_sets add column smart_account_kind text;
alter table frame_sets add column smart_account_owner text;
