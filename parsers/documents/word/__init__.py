"""Word and RTF files to lines and grids."""
