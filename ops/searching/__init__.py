"""Lines of the table of events, found by a mail, a program or a text."""
