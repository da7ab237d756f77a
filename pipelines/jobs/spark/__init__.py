"""Spark itself: a session, its jars and workers, what it reads, what its tasks do, and its errors as ours."""
