"""How dealers mail: learned from the published tables, and judged by each dealer's own history."""
