"""`otclog replica`: what an operator does with the embedded log's replicas. Loads the log only when used."""
