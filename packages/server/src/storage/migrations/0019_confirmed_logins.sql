-- Logins that must be confirmed by mail before a device without the wallet gets shares.

-- 1 if the URL of the page contained the result of the login, so the page could forward the result
alter table frame_social_logins add column is_redirected integer not null default 0;

-- 1 if a device without the wallet must log in again with a mailed code before the server releases anything to it
alter table frame_sessions add column needs_code integer not null default 0;

-- The projects through which a user has logged in. If one of them confirms devices, all of them do for this user.
create table frame_user_projects (
  user_id text not null,
  project_id text not null,
  primary key (user_id, project_id)
);

insert into frame_user_projects (user_id, project_id)
select distinct user_id, project_id from frame_sessions;
