"""Consumers of a group that share its partitions: `consumer.Consumer`, for programs of others (docs/consumers.md).

Nothing of otclog reads by it: `otclog extract` keeps its offsets with its tables. Its examples are run as tests, in
tests/log/consumers/; the commands here, `otclog group`, show and move the groups of both.
"""
