"""The class that the rows of a block show together, by integer weights that are counted from known mails."""
