"""The copies of a partition: its state and watermark, which copies are in sync, and a copy after a crash."""
