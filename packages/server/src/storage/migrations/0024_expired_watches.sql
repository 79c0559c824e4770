create index relay_watches_expires_at on relay_watches (expires_at);
