"""The dictionary of instruments: what the user's own master file knows of them."""
