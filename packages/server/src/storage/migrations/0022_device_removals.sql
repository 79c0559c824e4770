-- The links in the notices of new devices, which remove the device.
create table frame_removals (
  -- SHA-256 of the token in the mailed link
  hash text primary key,
  user_id text not null,
  device_id text not null,
  -- of the login
  project_id text not null,
  origin text not null,
  expires_at bigint not null
);

create index frame_removals_device on frame_removals (user_id, device_id);
create index frame_removals_expires_at on frame_removals (expires_at);
