"""What a cell holds: levels, sizes, times, identifiers."""
