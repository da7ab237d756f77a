"""The Delta tables: their schemas, commits, and the publications that name versions which belong together."""
