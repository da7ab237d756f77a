"""The topic `ops` as a table of events, which is searched and counted."""
