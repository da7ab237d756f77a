"""What keeps the tables small, quick to open, and of the present columns: maintain and upgrade."""
