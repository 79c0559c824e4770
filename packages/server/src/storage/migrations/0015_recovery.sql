-- Recovery of the wallets of the secure frame.

-- JSON array of the recovery methods that the frame offers on the project's sites
alter table projects add column recovery text not null default '["automatic","passkey","password"]';
-- 1 if visitors can log in with only a passkey
alter table projects add column passkey_login integer not null default 0;
update projects set passkey_login = 1 where id = 'default';

-- The recovery key that encrypts the recovery share: the id of the set with which the key was created.
alter table frame_sets add column recovery_id text not null default '';
-- The version of the methods that the set replaces; null if it keeps them.
alter table frame_sets add column replaces_version integer;
update frame_sets set recovery_id = id;

-- How a user gets the recovery key.
create table frame_recoveries (
  user_id text primary key,
  recovery_id text not null,
  -- incremented by each change of the methods
  version integer not null,
  -- JSON array of the recovery key under a password and passkeys
  wraps text not null,
  -- the set with which the escrow store got the recovery key; null without automatic recovery
  escrow_id text
);

insert into frame_recoveries (user_id, recovery_id, version, wraps, escrow_id)
select user_id, id, 1, wraps, case when is_automatic = 1 then id end
from frame_sets
where committed_at is not null
  and not exists (
    select 1 from frame_sets as later
    where later.user_id = frame_sets.user_id
      and later.committed_at is not null
      and (later.committed_at > frame_sets.committed_at
        or (later.committed_at = frame_sets.committed_at and later.id > frame_sets.id))
  );

-- A recovery key on its way from a page of the frame's origin to the frame inside another page.
create table frame_handovers (
  id text primary key,
  -- SHA-256 of the token in the page's URL
  token_hash text not null,
  user_id text not null,
  -- the device that gets the recovery key
  device_id text not null,
  -- the device of the page, once it has opened the URL
  page_device_id text,
  -- of the device, P-256
  public_key text not null,
  origin text not null,
  device_name text not null,
  -- encrypted for the public key; null until the page has it
  sealed text,
  expires_at bigint not null
);

create unique index frame_handovers_token_hash on frame_handovers (token_hash);
create index frame_handovers_expires_at on frame_handovers (expires_at);

-- Public keys of passkeys, for logins.
create table frame_passkeys (
  id text primary key,
  user_id text not null,
  public_key text not null,
  counter integer not null,
  name text not null,
  created_at bigint not null
);

create index frame_passkeys_user_id on frame_passkeys (user_id);
