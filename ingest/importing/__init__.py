"""`otclog import`: mails that lie in mbox files and folders, into the backfill topic, resumable."""
