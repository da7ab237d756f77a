"""HTML to lines and grids, as a reader sees it."""
