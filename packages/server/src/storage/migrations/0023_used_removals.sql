-- What a link in the notice of a new device has done: removed or signed_out; null until it is used. If the response is
-- lost, the visitor sees it after another try.
alter table frame_removals add column outcome text;
