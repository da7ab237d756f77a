"""Which tables there are in a grid, and what the header of each is."""
