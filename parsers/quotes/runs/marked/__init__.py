"""Which tokens of a line are its instrument, which are levels, and what belongs to each."""
