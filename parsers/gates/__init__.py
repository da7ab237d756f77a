"""What is asked of a text before a pattern is tried on it, derived from the pattern."""
