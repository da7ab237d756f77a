"""A day of operations in figures, as tables and as a page."""
