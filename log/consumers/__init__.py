"""Consumers of a group that share its partitions: see `consumer.Consumer`."""
