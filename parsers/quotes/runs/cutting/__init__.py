"""Which figures of a line can be no level, of which class it is, and how its levels are written."""
