"""What no process counts by itself, for Prometheus: where topics, groups, replicas, folders and tables stand."""
