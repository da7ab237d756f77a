"""Files, folders, locks and small documents that survive a crash: what every part of the log keeps things by."""
