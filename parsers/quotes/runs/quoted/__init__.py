"""Whether a line has one quote, several, or is a story."""
