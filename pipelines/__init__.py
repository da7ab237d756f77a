"""Spark jobs from the log to Delta tables, and readers of those tables that need no Spark."""
