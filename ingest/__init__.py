"""Mail files in, records out: the watcher, its ledger, and a generator of mails for demos and load."""
