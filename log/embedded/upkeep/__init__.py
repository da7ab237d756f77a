"""What is due from time to time: retention, compaction, copies brought back. Nothing here is needed by an append."""
