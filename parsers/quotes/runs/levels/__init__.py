"""What each level of a line measures."""
