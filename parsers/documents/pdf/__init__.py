"""PDF to grids and lines, from words and rulings."""
