create index frame_audit_at on frame_audit (at);
