-- Replacing the recovery key of a wallet.

-- the public key of the recovery key; null for a key of an earlier version
alter table frame_recoveries add column public_key text;
-- the wallet's signature of the public key and the methods
alter table frame_recoveries add column signature text;
-- 1 if a removed method or device can have a copy of the recovery key
alter table frame_recoveries add column is_outdated integer not null default 1;

-- the public key for which the recovery share is encrypted; null if it is encrypted under the recovery key itself
alter table frame_sets add column recovery_public_key text;
alter table frame_sets add column methods_signature text;
