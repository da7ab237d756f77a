"""A text cut into its parts: one table of alternatives, one pass (spec 5.11); for lines, and for names in tables."""
