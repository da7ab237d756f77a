"""Raw mail to parts: headers, the MIME tree, containers, forwards and history (spec section 6)."""
