"""The Spark jobs: what a run plans, reads, parses and stages. Extract and reparse are one run with different ranges."""
