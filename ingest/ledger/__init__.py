"""Which mails the log holds: an index of the log by SHA-256, in SQLite."""
