-- Logins that must be confirmed by mail before a device without the wallet gets shares.

-- 1 once the result of the login was led through the URL of the page, which can pass it on
alter table frame_social_logins add column is_redirected integer not null default 0;

-- 1 if the server releases nothing to a device without the wallet until another login by mailed code
alter table frame_sessions add column needs_code integer not null default 0;

-- The projects through which a user has logged in: if one of them confirms devices, that holds in all of them.
create table frame_user_projects (
  user_id text not null,
  project_id text not null,
  primary key (user_id, project_id)
);

insert into frame_user_projects (user_id, project_id)
select distinct user_id, project_id from frame_sessions;
