"""Grids and lines in, quotes out: the upper half of the parsers, by `finding`."""
