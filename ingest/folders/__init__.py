"""Watched folders: which files may be taken, held, read, and what becomes of them afterwards."""
