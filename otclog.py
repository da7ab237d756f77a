"""The `otclog` command: mounts each package's commands under one name."""
