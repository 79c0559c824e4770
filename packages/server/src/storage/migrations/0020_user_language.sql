-- The language of mails to a user: that of the frame on a device that has the wallet
alter table frame_users add column language text;
