"""Looking at all that the log has on disk."""
